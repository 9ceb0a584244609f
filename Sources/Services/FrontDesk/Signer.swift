import Crypto
package import Secrets

/// Signs addresses that are good without credentials, and gives the gateway its name.
package struct Signer: Sendable {
  private let key: Secret
  /// Of this gateway, and of no other.
  package let gateway: String

  package init(key: Secret) {
    self.key = key
    gateway = Hex.encode(
      Array(Digest.sha256.authenticate(Array("the name of the gateway".utf8), key: key).prefix(6)))
  }

  /// Long enough that nobody guesses one.
  package func signature(of words: String...) -> String { signature(words) }

  /// Without telling by the time it takes how much was right.
  package func vouches(for signature: String, of words: String...) -> Bool {
    constantTimeEqual(Array(signature.utf8), Array(self.signature(words).utf8))
  }

  private func signature(_ words: [String]) -> String {
    let text = words.map { "\($0.utf8.count):\($0)" }.joined()
    return Hex.encode(Array(Digest.sha256.authenticate(Array(text.utf8), key: key).prefix(16)))
  }
}
