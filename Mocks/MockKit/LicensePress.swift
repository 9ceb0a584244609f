package import Compression
package import Crypto
package import JSON
import Secrets

/// A lender's side of Readium LCP with the public profile: a key and a certificate it made itself, the
/// licences it signs, and books it seals.
package struct LicensePress: Sendable {
  /// What a reading system has to carry to trust it.
  package let root: Certificate
  package let certificate: Certificate
  package let authority: IssuingKey
  private let key: IssuingKey

  package enum Kind: Sendable { case rsa, ellipticCurve }

  /// The certificate is good between these seconds since 1970.
  package init(
    _ kind: Kind = .ellipticCurve, named name: String = "Licence press", from: Int64 = 0,
    until: Int64 = 4_102_444_800
  ) throws(CryptoError) {
    authority = try .p256()
    var wanted = IssuingKey.Wanted(name: "\(name) root", from: 0, until: 4_102_444_800)
    wanted.isAuthority = true
    root = try authority.certificate(wanted)
    key = try kind == .rsa ? .rsa() : .p256()
    var own = IssuingKey.Wanted(name: name, from: from, until: until)
    own.serial = 7
    certificate = try key.certificate(own, issuer: (authority, root))
  }

  /// What a licence says, but for what the press adds itself.
  package struct Order: Sendable {
    package var id: String
    package var provider = "https://lender.example"
    package var issued: String
    package var updated: String?
    package var passphrase: [UInt8]
    package var hint = "The word on your card"
    package var contentKey: [UInt8]
    package var links: [JSONValue]
    package var rights: JSONObject = [:]
    package var user: JSONObject = ["id": "reader-1"]

    /// With the hash of the reader's passphrase.
    package init(
      id: String, issued: String, passphrase: [UInt8], contentKey: [UInt8], links: [JSONValue]
    ) {
      (self.id, self.issued, self.passphrase) = (id, issued, passphrase)
      (self.contentKey, self.links) = (contentKey, links)
    }
  }

  package func license(_ order: Order) throws(CryptoError) -> JSONObject {
    var object: JSONObject = [
      "provider": .string(order.provider), "id": .string(order.id),
      "issued": .string(order.issued),
      "encryption": [
        "profile": "http://readium.org/lcp/basic-profile",
        "content_key": [
          "encrypted_value": .string(
            Base64.standard.encode(try Self.sealed(order.contentKey, with: order.passphrase))),
          "algorithm": "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
        ],
        "user_key": [
          "text_hint": .string(order.hint),
          "algorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
          "key_check": .string(
            Base64.standard.encode(
              try Self.sealed(Array(order.id.utf8), with: order.passphrase))),
        ],
      ],
      "links": .array(order.links), "user": .object(order.user), "rights": .object(order.rights),
    ]
    if let updated = order.updated { object["updated"] = .string(updated) }
    return try signed(object)
  }

  /// The object with a signature over the rest of it, in the place of any that it had.
  package func signed(_ object: JSONObject) throws(CryptoError) -> JSONObject {
    var object = object
    object["signature"] = nil
    let value = try key.signature(of: Self.sorted(.object(object)).bytes())
    let word = key.kind == .rsa ? "rsa-sha256" : "ecdsa-sha256"
    object["signature"] = [
      "algorithm": .string("http://www.w3.org/2001/04/xmldsig-more#" + word),
      "certificate": .string(Base64.standard.encode(certificate.bytes)),
      "value": .string(Base64.standard.encode(value)),
    ]
    return object
  }

  private static func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      let members = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      return .object(JSONObject(members.map { .init($0.name, sorted($0.value)) }))
    case .array(let elements): return .array(elements.map(sorted))
    default: return value
    }
  }

  /// An initialisation vector, then the text, padded with anything but for the last byte. Both come of
  /// what is sealed, so that the same book is the same file whenever it is asked for.
  package static func sealed(_ bytes: [UInt8], with key: [UInt8]) throws(CryptoError) -> [UInt8] {
    let count = 16 - bytes.count % 16
    let noise = Digest.sha256.hash(key + bytes)
    let padding = noise.prefix(count - 1) + [UInt8(count)]
    let vector = Array(noise.suffix(16))
    return vector
      + (try AESCBC.encrypt(bytes + padding, key: Secret(key), vector: vector, padding: .none))
  }

  /// Packed with deflate as inside archives, then sealed.
  package static func sealedPacked(_ bytes: [UInt8], with key: [UInt8]) throws(CryptoError)
    -> [UInt8]
  {
    // The frame of gzip is ten bytes before and eight behind.
    let packed = Array((Gzip.compress(bytes) ?? []).dropFirst(10).dropLast(8))
    return try sealed(packed, with: key)
  }

  /// What `META-INF/encryption.xml` says of one sealed resource; packed ones with their length.
  package static func note(_ path: String, isPacked: Bool, length: Int?) -> String {
    let compression = length.map {
      """
      <enc:EncryptionProperties><enc:EncryptionProperty \
      xmlns:ns="http://www.idpf.org/2016/encryption#compression">\
      <ns:Compression Method="\(isPacked ? 8 : 0)" OriginalLength="\($0)"/>\
      </enc:EncryptionProperty></enc:EncryptionProperties>
      """
    }
    return """
      <enc:EncryptedData><enc:EncryptionMethod \
      Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><ds:KeyInfo>\
      <ds:RetrievalMethod URI="license.lcpl#/encryption/content_key" \
      Type="http://readium.org/2014/01/lcp#EncryptedContentKey"/></ds:KeyInfo><enc:CipherData>\
      <enc:CipherReference URI="\(path)"/></enc:CipherData>\(compression ?? "")\
      </enc:EncryptedData>
      """
  }

  package static func encryption(_ notes: [String]) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>\
    <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" \
    xmlns:enc="http://www.w3.org/2001/04/xmlenc#" \
    xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\(notes.joined())</encryption>
    """
  }
}
