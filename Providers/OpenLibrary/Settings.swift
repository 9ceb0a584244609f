import Circulation
import Crypto
import HTTP
import ProviderKit
import Secrets

/// What this adapter needs to know of the operator and of a reader, checked once.
struct Settings: Sendable {
  let api: Address
  /// Who asks, with somebody to turn to: whoever names nobody is allowed a third of the pace (§1).
  let agent: String
  let reader: Reader?

  struct Reader: Sendable {
    let way: Way
    /// Names the reader without being any secret.
    let digest: [UInt8]
  }

  enum Way: Sendable {
    case keys(access: Secret, secret: Secret)
    case form(email: Secret, password: Secret)
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    api = try library.endpoint("api")
    let contact = try library.setting("contact")
    let isLine = contact.unicodeScalars.allSatisfy { (0x21..<0x7F).contains($0.value) }
    guard isLine, contact.contains("@") || contact.contains("://") else {
      throw SettingsFault(library.id, "contact", "is neither an e-mail address nor a web address")
    }
    agent = "Carrel (\(contact))"
    reader = credentials.flatMap(Reader.init)
  }

  static let needs = LibraryNeeds(
    settings: [
      .init("contact", "An e-mail or web address of whoever runs this gateway", isSecret: false)
    ],
    environments: ["production": ["api": "https://openlibrary.org"]])

  static let fields: [ProviderListing.Field] = [
    .init("access", "The access key of archive.org", isSecret: false, isRequired: false),
    .init("secret", "The secret key that goes with it", isSecret: true, isRequired: false),
    .init("email", "Or the e-mail address of the account", isSecret: false, isRequired: false),
    .init("password", "And its password", isSecret: true, isRequired: false),
  ]
}

extension Settings.Reader {
  /// Keys can be taken back one by one, so they come before the password.
  init?(_ given: Credentials) {
    func pair(_ one: String, _ other: String) -> (Secret, Secret)? {
      guard let first = given[one], let second = given[other], !first.isEmpty, !second.isEmpty
      else { return nil }
      return (first, second)
    }
    if let (access, secret) = pair("access", "secret") {
      way = .keys(access: access, secret: secret)
      digest = Self.digest("keys", access, secret)
    } else if let (email, password) = pair("email", "password") {
      way = .form(email: email, password: password)
      digest = Self.digest("form", email, password)
    } else {
      return nil
    }
  }

  private static func digest(_ kind: String, _ one: Secret, _ other: Secret) -> [UInt8] {
    Digest.sha256.hash("\(kind)\n\(one.revealText { $0 })\n\(other.revealText { $0 })")
  }
}
