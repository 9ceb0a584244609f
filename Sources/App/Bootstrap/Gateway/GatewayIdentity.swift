import Crypto
import HTTP
import HTTPServer
import Machine
import Secrets

/// Proves that a gateway works with this data, and tells it from any other program on its port. The key
/// lies in the database; a question is random, so that no answer can be known before.
struct GatewayIdentity: Sendable {
  static let question = "Carrel-Question"
  static let answer = "Carrel-Answer"

  private let key: Secret

  init(_ key: Secret) { self.key = key }

  static func newQuestion() -> String { Hex.encode(Chance.system.bytes(32)) }

  /// Nil for what is no question: nothing else is ever signed with the key this way.
  func answer(to question: String) -> String? {
    guard question.utf8.count == 64, (try? Hex.decode(question)) != nil else { return nil }
    let signed = Digest.sha256.authenticate(
      Array("carrel/identity/\(question)".utf8), key: key)
    return Hex.encode(signed)
  }

  func isProved(by answer: String?, to question: String) -> Bool {
    guard let answer, let wanted = self.answer(to: question) else { return false }
    return constantTimeEqual(Array(answer.utf8), Array(wanted.utf8))
  }
}
