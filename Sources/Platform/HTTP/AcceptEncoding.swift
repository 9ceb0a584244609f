/// Which content codings the client can undo, from `Accept-Encoding` (RFC 9110 §12.5.3).
package struct AcceptEncoding: Sendable, Hashable {
  package enum Coding: Sendable, Hashable { case identity, gzip }

  private var gzip: Int?
  private var identity: Int?
  private var others: Int?

  package init(_ field: String?) {
    var scanner = FieldScanner(field ?? "")
    while !scanner.isAtEnd {
      scanner.skipBlanks()
      let name = scanner.token()?.lowercased()
      let weight = AcceptEncoding.weight(&scanner)
      scanner.skipElement()
      guard let name, let weight else { continue }
      switch name {
      case "gzip", "x-gzip": gzip = gzip ?? weight
      case "identity": identity = identity ?? weight
      case "*": others = others ?? weight
      default: break
      }
    }
  }

  package var gzipQuality: Int { gzip ?? others ?? 0 }

  /// Identity is welcome until it is ruled out by name, or by `*;q=0`.
  package var allowsIdentity: Bool { (identity ?? (others == 0 ? 0 : 1)) > 0 }

  /// The coding to send; nil when the client rules out everything we have.
  package func choice(gzipAvailable: Bool) -> Coding? {
    // Unnamed identity is the fallback, not a rival: `gzip;q=0.5` still asks for gzip.
    if gzipAvailable, gzipQuality > 0, gzipQuality >= identity ?? 0 { return .gzip }
    if allowsIdentity { return .identity }
    return gzipAvailable && gzipQuality > 0 ? .gzip : nil
  }

  private static func weight(_ scanner: inout FieldScanner) -> Int? {
    scanner.skipBlanks()
    guard scanner.skip(UInt8(ascii: ";")) else { return 1000 }
    scanner.skipBlanks()
    guard let name = scanner.token(), name.lowercased() == "q", scanner.skip(UInt8(ascii: "="))
    else { return nil }
    return scanner.quality()
  }
}
