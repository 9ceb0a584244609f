import Circulation
import Crypto
import HTTP
import ProviderKit
import Secrets

/// What this adapter needs to know of a library and of a reader, checked once.
struct Settings: Sendable {
  let api: Address
  let username: Secret
  let password: Secret
  let libraryID: String
  let reader: Reader?

  struct Reader: Sendable {
    /// All that the service wants to know: no PIN is ever asked for (§3).
    let card: Secret
    /// Where notices of holds go; the service takes no hold without one.
    let email: String?
  }

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    api = try library.endpoint("api")
    username = try library.secret("username")
    password = try library.secret("password")
    libraryID = try library.setting("library_id")
    reader = credentials.flatMap(Reader.init)
  }

  /// §2: three parts, in sixteen bits each, the lower half first, without a mark in front.
  var basic: String {
    username.revealText { name in
      password.revealText { word in
        let units = Array("\(name):\(word):\(libraryID)".utf16)
        let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return "Basic " + Base64.standard.encode(bytes)
      }
    }
  }

  /// Names user, password and library together, without being any.
  var digest: [UInt8] { Digest.sha256.hash(basic) }
}

extension Settings.Reader {
  /// Nil where no card was given.
  init?(_ given: Credentials) {
    guard let card = given["card"], !card.isEmpty else { return nil }
    self.card = card
    email = given["email"].flatMap { email in
      email.revealText { $0.contains("@") ? $0 : nil }
    }
  }
}
