package import Crypto
import Markup
package import Secrets

/// What a reader's passphrase comes to: 32 bytes that open the licences of one provider for one
/// reader. Handled as a password is.
package struct UserKey: Sendable {
  package let secret: Secret

  package static let length = 32

  /// The passphrase byte for byte: nothing is trimmed and no case is folded.
  package init(passphrase: Secret) {
    secret = passphrase.revealBytes { Secret(Digest.sha256.hash($0)) }
  }

  package init?(_ secret: Secret) {
    guard secret.count == Self.length else { return nil }
    self.secret = secret
  }

  /// As lenders hand it over: hex or base64, told apart by length.
  package init?(handedOver text: String) {
    guard var bytes = LicenseLink.hash(text) else { return nil }
    defer { wipe(&bytes) }
    secret = Secret(bytes)
  }

  /// What a typed passphrase may have meant: itself, and as a courtesy its composed form where that is
  /// another one.
  package static func all(of passphrase: Secret) -> [UserKey] {
    let composed = passphrase.revealText { Secret($0.composed) }
    let plain = UserKey(passphrase: passphrase)
    return composed.matches(passphrase) ? [plain] : [plain, UserKey(passphrase: composed)]
  }
}

/// What opens the parts of one book. It is kept nowhere.
package struct ContentKey: Sendable {
  private let secret: Secret

  fileprivate init(_ secret: Secret) { self.secret = secret }

  /// The initialisation vector, then the text.
  package func open(_ sealed: [UInt8]) throws(CryptoError) -> [UInt8] {
    try SealedValue.open(sealed, with: secret)
  }
}

/// Every sealed value has one form. Of its padding only the last byte tells anything; the others may
/// be whatever they like.
enum SealedValue {
  static func isPossible(_ sealed: [UInt8]) -> Bool {
    sealed.count >= 32 && sealed.count.isMultiple(of: 16)
  }

  static func open(_ sealed: [UInt8], with key: Secret) throws(CryptoError) -> [UInt8] {
    guard isPossible(sealed) else { throw .wrongLength("the sealed text") }
    return try AESCBC.decrypt(
      Array(sealed.dropFirst(16)), key: key, vector: Array(sealed.prefix(16)),
      padding: .lastByteOnly)
  }
}

extension License {
  /// The key of the book, with the first of these keys that fits. Which step a wrong one failed at is
  /// not told.
  package func unlocked(with keys: [UserKey]) throws(LicenseRefusal) -> ContentKey {
    guard SealedValue.isPossible(keyCheck) else {
      throw LicenseRefusal(.memberMalformed, "encryption.user_key.key_check")
    }
    guard SealedValue.isPossible(contentKey) else {
      throw LicenseRefusal(.memberMalformed, "encryption.content_key.encrypted_value")
    }
    guard let key = keys.first(where: fits) else {
      throw LicenseRefusal(keys.isEmpty ? .passphraseNeeded : .passphraseWrong)
    }
    guard var bytes = try? SealedValue.open(contentKey, with: key.secret) else {
      throw LicenseRefusal(.contentKeyDamaged)
    }
    defer { wipe(&bytes) }
    guard bytes.count == UserKey.length else { throw LicenseRefusal(.contentKeyDamaged) }
    return ContentKey(Secret(bytes))
  }

  /// Whether this is the reader's key.
  package func fits(_ key: UserKey) -> Bool {
    guard let found = try? SealedValue.open(keyCheck, with: key.secret) else { return false }
    return constantTimeEqual(found, Array(id.utf8))
  }
}
