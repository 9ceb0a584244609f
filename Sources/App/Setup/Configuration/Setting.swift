package import Arguments

/// One setting with its type. The table of all of them is the only place that knows what can be
/// configured: reader, environment, `config show`, the manual and the example file come from it.
package struct Setting<Value: Sendable>: Sendable {
  package let spec: SettingSpec
  private let read: @Sendable ([String]) -> Value?

  /// One that always has a value. The default is written as a person would write it.
  package init(
    _ key: String, _ kind: Kind<Value>, default fallback: String, _ summary: String,
    why reason: String
  ) {
    let read: @Sendable ([String]) -> Value? = { $0.last.flatMap(kind.parse) }
    spec = SettingSpec(
      key: key, kind: kind, form: .single(fallback), summary: summary, reason: reason,
      secrecy: .open)
    self.read = read
  }

  /// One that may be unset. The example is only shown.
  package init<Wrapped>(
    optional key: String, _ kind: Kind<Wrapped>, example: String, _ summary: String,
    why reason: String, secrecy: SettingSpec.Secrecy = .open
  ) where Value == Wrapped? {
    spec = SettingSpec(
      key: key, kind: kind, form: .optional(example: example), summary: summary, reason: reason,
      secrecy: secrecy)
    read = { texts in .some(texts.last.flatMap(kind.parse)) }
  }

  /// Several values in order.
  package init<Element>(
    list key: String, _ kind: Kind<Element>, default fallback: [String], example: [String] = [],
    _ summary: String, why reason: String
  ) where Value == [Element] {
    spec = SettingSpec(
      key: key, kind: kind, form: .list(fallback, example: example), summary: summary,
      reason: reason, secrecy: .open)
    read = { $0.compactMap(kind.parse) }
  }

  /// The texts have passed `SettingSpec.check`, as the defaults have in the tests.
  func value(of texts: [String]) -> Value {
    guard let value = read(texts) else {
      preconditionFailure("the default of \(spec.key) is not a value of its own kind")
    }
    return value
  }
}

/// A setting without its type: what documents and readers need.
package struct SettingSpec: Sendable {
  package enum Form: Sendable, Hashable {
    case single(String)
    case optional(example: String)
    case list([String], example: [String])
  }

  package enum Secrecy: Sendable, Hashable {
    case open
    /// An address that may carry a password: only that part is hidden.
    case passwordInside
    case secret
  }

  /// `server.port`
  package let key: String
  package let form: Form
  package let placeholder: String
  package let expectation: String
  package let completion: Completion
  package let summary: String
  /// Why one would change it.
  package let reason: String
  package let secrecy: Secrecy
  private let accepts: @Sendable (String) -> Bool

  fileprivate init<Value>(
    key: String, kind: Kind<Value>, form: Form, summary: String, reason: String, secrecy: Secrecy
  ) {
    self.key = key
    self.form = form
    placeholder = kind.placeholder
    expectation = kind.expectation
    completion = kind.completion
    self.summary = summary
    self.reason = reason
    self.secrecy = secrecy
    accepts = { kind.parse($0) != nil }
  }

  package var section: String { String(key.prefix { $0 != "." }) }
  package var name: String { String(key.drop { $0 != "." }.dropFirst()) }

  /// `CARREL_SERVER_PORT`
  package var variable: String {
    "CARREL_" + key.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
  }

  package var isList: Bool {
    if case .list = form { return true }
    return false
  }

  package var defaultTexts: [String] {
    switch form {
    case .single(let text): [text]
    case .optional: []
    case .list(let texts, _): texts
    }
  }

  /// What is wrong with a text; nil when nothing is.
  func complaint(about text: String) -> String? {
    if accepts(text) { return nil }
    let each = isList ? "each of \(key)" : key
    return "\(each) must be \(expectation)" + (secrecy == .open ? ", not '\(text)'" : "")
  }

  func suggestion(for text: String) -> String? {
    guard case .choices(let words) = completion else { return nil }
    return nearest(to: text, among: words).first
  }

  /// As it may be shown to anyone.
  package func shown(_ texts: [String]) -> [String] {
    switch secrecy {
    case .open: texts
    case .secret: texts.map { _ in "•••" }
    case .passwordInside: texts.map(Self.withoutPassword)
    }
  }

  /// `postgres://carrel:•••@db/carrel`; a password among the parameters is hidden as well.
  private static func withoutPassword(_ text: String) -> String {
    var text = text
    if let scheme = text.firstRange(of: "://") {
      let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
      if let at = authority.lastIndex(of: "@"),
        let colon = authority[..<at].firstIndex(of: ":")
      {
        text.replaceSubrange(text.index(after: colon)..<at, with: "•••")
      }
    }
    if let password = text.firstRange(of: "password=") {
      let value = text[password.upperBound...].prefix { $0 != "&" && $0 != " " }
      text.replaceSubrange(value.startIndex..<value.endIndex, with: "•••")
    }
    return text
  }
}
