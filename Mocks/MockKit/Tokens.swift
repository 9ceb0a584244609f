package import JSON

/// Whatever a vendor hands out and later wants back: access tokens, codes, refresh tokens, links
/// that work once. They live by the virtual clock.
package struct Tokens: Sendable {
  package struct Token: Sendable, Hashable {
    package let text: String
    /// The dialect's word: `client`, `patron`, `code`, `refresh`, `link`.
    package let kind: String
    package let library: String
    package var card: String?
    package var note: JSONObject
    package let expires: Moment
    package var uses = 0
  }

  /// Beyond it the oldest go: a client that never reuses a token must not fill the memory.
  private static let most = 20_000

  private var byText: [String: Token] = [:]
  private var order: [String] = []
  /// Everything ever handed out, also what has been revoked: it is kept out of the journal's prints.
  package private(set) var handedOut: Set<String> = []
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed, for: "tokens") }

  package mutating func issue(
    _ kind: String, library: String, card: String? = nil, note: JSONObject = [:], length: Int = 64,
    expires: Moment
  ) -> Token {
    let token = Token(
      text: random.token(length), kind: kind, library: library, card: card, note: note,
      expires: expires)
    byText[token.text] = token
    order.append(token.text)
    handedOut.insert(token.text)
    if order.count > Self.most {
      let oldest = order.removeFirst()
      byText[oldest] = nil
      handedOut.remove(oldest)
    }
    return token
  }

  /// Remembers something under a name of the dialect's own making; it was handed to nobody.
  package mutating func keep(
    _ name: String, _ kind: String, _ note: JSONObject, card: String? = nil, until end: Moment
  ) {
    byText[name] = Token(
      text: name, kind: kind, library: "", card: card, note: note, expires: end)
    order.append(name)
    if order.count > Self.most { byText[order.removeFirst()] = nil }
  }

  /// Whatever its age: some vendors tell an expired token from an unknown one.
  package subscript(_ text: String) -> Token? { byText[text] }

  package func valid(_ text: String, as kind: String, at now: Moment) -> Token? {
    guard let token = byText[text], token.kind == kind, token.expires > now else { return nil }
    return token
  }

  package mutating func use(_ text: String) { byText[text]?.uses += 1 }

  package mutating func revoke(_ text: String) {
    byText[text] = nil
    order.removeAll { $0 == text }
  }

  package mutating func guid() -> String { random.guid() }
}
