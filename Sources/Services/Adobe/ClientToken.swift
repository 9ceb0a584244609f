import Crypto
package import Secrets

/// What a library gives one of its readers for Adobe's sign-in form, good for an hour or so:
/// `NAME|EXPIRES|READER|SIGNATURE`. The reader is a number that says nothing.
package struct ClientToken: Sendable, Hashable {
  package enum Fault: String, Error, Sendable, Hashable {
    case noToken = "no_token"
    case noExpiry = "no_expiry"
    case noReader = "no_reader"
    case unknownLibrary = "unknown_library"
    case expired
    case badSignature = "bad_signature"
  }

  package let library: String
  /// As it is written, since the signature is over the text.
  let expiry: String
  package let reader: String

  /// `until` is in milliseconds since 1970; it is told in minutes, which is shorter.
  package init(library: String, reader: String, until: Int64) {
    (self.library, self.reader) = (library, reader)
    expiry = "\((until / 1000 - Self.epoch) / 60)"
  }

  private init(library: String, expiry: String, reader: String) {
    (self.library, self.expiry, self.reader) = (library, expiry, reader)
  }

  /// The first three parts: what fits into the field for a name.
  package var name: String { "\(library)|\(expiry)|\(reader)" }

  package func text(_ secret: Secret) -> String { "\(name)|\(signature(secret))" }

  package func signature(_ secret: Secret) -> String {
    AdobeAlphabet.encode(Digest.sha256.authenticate(Array(name.utf8), key: secret))
  }

  /// Milliseconds since 1970. Large numbers are seconds of that time, small ones minutes of a later one.
  var until: Int64? {
    guard expiry.utf8.count <= 20, expiry.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let number = Double(expiry), number.isFinite, number < 1e12
    else { return nil }
    let seconds = number >= 1_500_000_000 ? number : number * 60 + Double(Self.epoch)
    return Int64(seconds * 1000)
  }

  /// In the order in which each thing costs least to find out. What was wrong is for the log alone:
  /// outside all of it sounds the same.
  package static func read(
    _ text: String, now: Int64, secret: (_ library: String) -> Secret?
  ) throws(Fault) -> ClientToken {
    guard let end = text.lastIndex(of: "|") else { throw .noToken }
    return try read(
      name: String(text[..<end]), signature: String(text[text.index(after: end)...]), now: now,
      secret: secret)
  }

  /// The two halves, as they stand in the fields for name and password.
  package static func read(
    name: String, signature: String, now: Int64, secret: (_ library: String) -> Secret?
  ) throws(Fault) -> ClientToken {
    let parts = name.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
    guard name.utf8.count <= 1000, parts.count >= 2 else { throw .noToken }
    let token = ClientToken(
      library: String(parts[0]), expiry: String(parts[1]),
      reader: parts.count > 2 ? String(parts[2]) : "")
    guard let until = token.until else { throw .noExpiry }
    guard !token.reader.isEmpty else { throw .noReader }
    guard let secret = secret(token.library) else { throw .unknownLibrary }
    guard until > now else { throw .expired }
    let wanted = Digest.sha256.authenticate(Array(token.name.utf8), key: secret)
    guard let given = AdobeAlphabet.decode(signature), constantTimeEqual(given, wanted) else {
      throw .badSignature
    }
    return token
  }

  /// 2017-01-01T00:00:00Z in seconds.
  private static let epoch: Int64 = 1_483_228_800
}
