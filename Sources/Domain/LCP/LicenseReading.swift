import Crypto
package import JSON
import Machine

extension License {
  /// More than any licence is.
  package static let mostBytes = 1 << 20
  static let rules = JSONRules(maximumBytes: mostBytes, maximumDepth: 32, maximumValues: 20_000)

  static let sealing = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
  private static let hashing = "http://www.w3.org/2001/04/xmlenc#sha256"

  /// Whether bytes are meant to be one, without reading them as one.
  package static func looksLike(_ json: JSONValue) -> Bool {
    json["encryption"]?.object != nil && json["links"] != nil
  }

  package init(_ bytes: [UInt8]) throws(LicenseRefusal) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: bytes, by: Self.rules) } catch {
      throw LicenseRefusal(.notALicense, error.reason.sentence)
    }
    guard var object = json.object else { throw LicenseRefusal(.notALicense) }
    try Self.checkMembers(json)
    let reading = MemberReading(json)
    document = bytes
    id = try reading.text("id")
    provider = try reading.text("provider")
    issued = try reading.time("issued")
    updated = try reading.ifPresent("updated") { path throws(LicenseRefusal) in
      try reading.time(path)
    }
    profile = try reading.text("encryption.profile")
    hint = try reading.text("encryption.user_key.text_hint")
    guard try reading.text("encryption.content_key.algorithm") == Self.sealing else {
      throw LicenseRefusal(.memberMalformed, "encryption.content_key.algorithm")
    }
    guard try reading.text("encryption.user_key.algorithm") == Self.hashing else {
      throw LicenseRefusal(.memberMalformed, "encryption.user_key.algorithm")
    }
    contentKey = try reading.bytes("encryption.content_key.encrypted_value")
    keyCheck = try reading.bytes("encryption.user_key.key_check")
    links = try LicenseLink.all(json["links"])
    for relation in ["hint", "publication"] where links.first(relation) == nil {
      throw LicenseRefusal(.memberMissing, "links: \(relation)")
    }
    rights = Rights(
      print: try reading.count("rights.print"), copy: try reading.count("rights.copy"),
      start: try reading.ifPresent("rights.start") { path throws(LicenseRefusal) in
        try reading.time(path)
      },
      end: try reading.ifPresent("rights.end") { path throws(LicenseRefusal) in
        try reading.time(path)
      })
    user = User(
      id: json["user"]?["id"]?.string, name: json["user"]?["name"]?.string,
      email: json["user"]?["email"]?.string,
      encrypted: Set(json["user"]?["encrypted"]?.array?.compactMap(\.string) ?? []))
    signature = Signature(
      algorithm: try reading.text("signature.algorithm"),
      certificate: try reading.bytes("signature.certificate"),
      value: try reading.bytes("signature.value"))
    object["signature"] = nil
    signed = CanonicalForm.bytes(of: object)
  }

  /// All that is missing is named at once.
  private static func checkMembers(_ json: JSONValue) throws(LicenseRefusal) {
    let needed = [
      "id", "issued", "provider", "encryption.profile", "encryption.content_key.encrypted_value",
      "encryption.content_key.algorithm", "encryption.user_key.text_hint",
      "encryption.user_key.algorithm", "encryption.user_key.key_check", "links",
      "signature.algorithm", "signature.certificate", "signature.value",
    ]
    let reading = MemberReading(json)
    let missing = needed.filter { reading.value($0) == nil }
    guard missing.isEmpty else {
      throw LicenseRefusal(.memberMissing, missing.joined(separator: ", "))
    }
  }
}

/// Members by their paths, which is how what is wrong is named.
struct MemberReading {
  private let json: JSONValue
  private static let longest = 4096

  init(_ json: JSONValue) { self.json = json }

  /// Nil where there is nothing, or null.
  func value(_ path: String) -> JSONValue? {
    var place: JSONValue? = json
    for name in path.split(separator: ".") { place = place?[String(name)] }
    return place?.isNull == true ? nil : place
  }

  func ifPresent<Value>(
    _ path: String, _ read: (String) throws(LicenseRefusal) -> Value
  ) throws(LicenseRefusal) -> Value? {
    value(path) == nil ? nil : try read(path)
  }

  func text(_ path: String) throws(LicenseRefusal) -> String {
    guard let text = value(path)?.string, text.utf8.count <= Self.longest else {
      throw LicenseRefusal(.memberMalformed, path)
    }
    return text
  }

  func time(_ path: String) throws(LicenseRefusal) -> Timestamp {
    guard let time = Timestamp(rfc3339: try text(path)) else {
      throw LicenseRefusal(.memberMalformed, path)
    }
    return time
  }

  func count(_ path: String) throws(LicenseRefusal) -> Int? {
    guard let value = value(path) else { return nil }
    guard let count = value.integer, count >= 0 else {
      throw LicenseRefusal(.memberMalformed, path)
    }
    return count
  }

  /// Of base64. Certificates are longer than other texts.
  func bytes(_ path: String) throws(LicenseRefusal) -> [UInt8] {
    guard let text = value(path)?.string, text.utf8.count <= 128 << 10,
      let bytes = try? Base64.decodeTolerantly(text), !bytes.isEmpty
    else { throw LicenseRefusal(.memberMalformed, path) }
    return bytes
  }
}

extension LicenseLink {
  private static let most = 100

  /// As a list; or as an object of relations, as it was before the first release.
  static func all(_ json: JSONValue?) throws(LicenseRefusal) -> [LicenseLink] {
    var links: [LicenseLink] = []
    switch json {
    case .array(let list):
      guard list.count <= most else { throw LicenseRefusal(.memberMalformed, "links") }
      for link in list { links.append(try LicenseLink(link, nil)) }
    case .object(let object):
      guard object.count <= most else { throw LicenseRefusal(.memberMalformed, "links") }
      for member in object.members {
        let each = member.value.array ?? [member.value]
        guard links.count + each.count <= most else {
          throw LicenseRefusal(.memberMalformed, "links")
        }
        for link in each { links.append(try LicenseLink(link, member.name)) }
      }
    default: throw LicenseRefusal(.memberMalformed, "links")
    }
    return links
  }

  private init(_ json: JSONValue, _ relation: String?) throws(LicenseRefusal) {
    relations = relation.map { [$0] } ?? Self.texts(json["rel"])
    guard let href = json["href"]?.string, !href.isEmpty, href.utf8.count <= 8192 else {
      throw LicenseRefusal(.memberMalformed, "links: \(relations.first ?? "")")
    }
    self.href = href
    types = Self.texts(json["type"])
    title = json["title"]?.string
    length = json["length"]?.integer
    isTemplated = json["templated"]?.bool ?? false
    guard let hash = json["hash"], !hash.isNull else {
      self.hash = nil
      return
    }
    guard let read = hash.string.flatMap(Self.hash) else {
      throw LicenseRefusal(.memberMalformed, "links: hash")
    }
    self.hash = read
  }

  private static func texts(_ json: JSONValue?) -> [String] {
    json?.string.map { [$0] } ?? json?.array?.compactMap(\.string) ?? []
  }

  /// Told as base64 and written as hex: which it is, its length tells.
  static func hash(_ text: String) -> [UInt8]? {
    let bytes = text.utf8.count == 64 ? try? Hex.decode(text) : try? Base64.decodeTolerantly(text)
    return bytes.flatMap { $0.count == 32 ? $0 : nil }
  }
}
