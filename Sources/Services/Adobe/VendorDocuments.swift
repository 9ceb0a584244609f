import Markup
import XML

/// The documents of Adobe's sign-in (§5 of the vendor's guide): answers come with status 200 whatever
/// they say, since its programs read nothing else.
enum VendorRequest: Sendable, Hashable {
  case standard(name: String, word: String)
  case token(String)
  case account(String)

  static let namespace = "http://ns.adobe.com/adept"
  static let longest = 64 << 10

  /// Nil for what is no such document. A document type, and with it all entities, is refused.
  init?(_ bytes: [UInt8]) {
    var options = XMLOptions.strict
    options.limits = XMLLimits(bytes: Self.longest, depth: 16, nodes: 200)
    guard bytes.count <= Self.longest, !Self.hasDocumentType(bytes),
      let root = try? XMLDocument(bytes, options).root, root.name.namespace == Self.namespace
    else { return nil }
    func text(_ name: String) -> String? {
      root.child(named: name, in: Self.namespace)?.text.trimmed
    }
    switch (root.name.local, root["method"]) {
    case ("signInRequest", "standard"):
      guard let name = text("username") else { return nil }
      self = .standard(name: name, word: text("password") ?? "")
    case ("signInRequest", "authData"):
      guard let data = text("authData") else { return nil }
      self = .token(data)
    case ("accountInfoRequest", _):
      guard let user = text("user") else { return nil }
      self = .account(user)
    default: return nil
    }
  }

  private static func hasDocumentType(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains("<!DOCTYPE")
  }
}

enum VendorAnswer {
  static func signIn(_ user: String, _ label: String) -> [UInt8] {
    document("signInResponse") {
      tag("user") { "urn:uuid:\(user)" }
      tag("label") { label }
    }
  }

  static func account(_ label: String) -> [UInt8] {
    document("accountInfoResponse") { tag("label") { label } }
  }

  static func error(_ vendor: String, _ kind: Kind, _ words: String) -> [UInt8] {
    XMLWriter.document(
      tag(
        "error", .init("xmlns", VendorRequest.namespace),
        .init("data", "E_\(vendor)_\(kind.rawValue) \(words)")))
  }

  enum Kind: String {
    case auth = "AUTH"
    case account = "ACCOUNT_INFO"
  }

  private static func document(_ name: Name, @Children _ children: () -> [Node]) -> [UInt8] {
    XMLWriter.document(
      tag(name, attributes: [.init("xmlns", VendorRequest.namespace)], children: children()))
  }
}

extension String {
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
