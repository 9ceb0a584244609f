/// A language that pages speak. What is said to programs stays English: nobody sets another one there.
package enum Tongue: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case german = "de"
  case spanish = "es"

  /// Of whatever is written at this moment. Set in one place, around the making of a page.
  @TaskLocal package static var current = Tongue.english

  /// As its own readers call it.
  package var name: String {
    switch self {
    case .english: "English"
    case .german: "Deutsch"
    case .spanish: "Español"
    }
  }

  /// The best of ours for somebody who likes these languages (`de-AT`, `fr`), the best first.
  package init(bestOf languages: [some StringProtocol]) {
    self =
      languages.lazy.compactMap { tag in
        Tongue(rawValue: String(tag.prefix { $0 != "-" }).lowercased())
      }.first ?? .english
  }

  /// Does something in this tongue.
  package func speaking<Answer: Sendable, Failure: Error>(
    _ body: () async throws(Failure) -> Answer
  ) async throws(Failure) -> Answer {
    let end: Result<Answer, Failure> = await Tongue.$current.withValue(self) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try end.get()
  }

  /// Which of the forms of a word goes with a number (CLDR's plural rules; all of these know two).
  func form(for number: Int) -> Int { number == 1 ? 0 : 1 }
}

/// Numbers as a tongue writes them.
package enum Numerals {
  /// `1 234` with a blank that does not break, `1.234`; Spanish parts five digits and more only.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number)
    let mark: String
    switch Tongue.current {
    case .english: mark = "\u{a0}"
    case .german: mark = "."
    case .spanish:
      guard digits.count > 4 else { return digits }
      mark = "\u{a0}"
    }
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += mark }
      text.append(digit)
    }
    return text
  }

  /// Stands before the parts of one.
  package static var point: String { Tongue.current == .english ? "." : "," }
}
