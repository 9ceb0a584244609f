/// What the client would like to get, from `Accept` (RFC 9110 §12.5.1). Without the field, or
/// with one that holds nothing readable, everything is welcome.
package struct Accept: Sendable, Hashable {
  private struct Range: Sendable, Hashable {
    let type: MediaType
    let quality: Int

    /// How closely this range names `offer`; nil when it does not cover it at all.
    func precision(for offer: MediaType) -> Int? {
      if type.type == "*" { return type.subtype == "*" ? 0 : nil }
      guard type.type == offer.type else { return nil }
      if type.subtype == "*" { return 1 }
      guard type.subtype == offer.subtype else { return nil }
      let named = type.parameters.allSatisfy { wanted in
        offer[wanted.name]?.lowercased() == wanted.value.lowercased()
      }
      return named ? 2 + type.parameters.count : nil
    }
  }

  private let ranges: [Range]

  package init(_ field: String?) {
    var ranges: [Range] = []
    var scanner = FieldScanner(field ?? "")
    // A cap, as for every list a stranger writes.
    while !scanner.isAtEnd, ranges.count < 64 {
      scanner.skipBlanks()
      if let type = MediaType(from: &scanner, upTo: "q"), let quality = Accept.weight(&scanner) {
        ranges.append(Range(type: type, quality: quality))
      }
      scanner.skipElement()
    }
    self.ranges = ranges
  }

  /// Whether there was anything in it to go by.
  package var isReadable: Bool { !ranges.isEmpty }

  /// The weight from 0 (not wanted) to 1000.
  package func quality(of offer: MediaType) -> Int {
    guard !ranges.isEmpty else { return 1000 }
    var best: (precision: Int, quality: Int) = (-1, 0)
    for range in ranges {
      if let precision = range.precision(for: offer), precision > best.precision {
        best = (precision, range.quality)
      }
    }
    return best.quality
  }

  /// The best liked offer; between equals the first one wins. Nil: answer 406.
  package func best(of offers: [MediaType]) -> MediaType? {
    var best: (offer: MediaType, quality: Int)?
    for offer in offers {
      let quality = quality(of: offer)
      if quality > best?.quality ?? 0 { best = (offer, quality) }
    }
    return best?.offer
  }

  /// After `q=` the scanner stands on its value; without it, on a comma or the end.
  private static func weight(_ scanner: inout FieldScanner) -> Int? {
    guard let next = scanner.next, next != UInt8(ascii: ",") else { return 1000 }
    return scanner.quality()
  }
}
