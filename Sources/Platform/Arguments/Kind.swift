/// What a text on the command line has to be before it becomes a value: how help calls it, how an
/// error describes it, and what a shell may offer for it.
package struct Kind<Value: Sendable>: Sendable {
  /// What stands for the value in help, in capitals: `FILE`.
  package let placeholder: String
  /// Ends the sentence "… must be": `a whole number from 1 to 500`.
  package let expectation: String
  package let completion: Completion
  package let parse: @Sendable (String) -> Value?

  package init(
    _ placeholder: String, _ expectation: String, completion: Completion = .nothing,
    parse: @escaping @Sendable (String) -> Value?
  ) {
    self.placeholder = placeholder
    self.expectation = expectation
    self.completion = completion
    self.parse = parse
  }

  /// The same values under another name in help.
  package func called(_ placeholder: String) -> Kind {
    Kind(placeholder, expectation, completion: completion, parse: parse)
  }

  package func completed(by completion: Completion) -> Kind {
    Kind(placeholder, expectation, completion: completion, parse: parse)
  }
}

/// What a shell offers for a value that is being typed.
package enum Completion: Sendable, Hashable {
  case nothing
  case file
  case directory
  case choices([String])
  /// Words that only the program knows; the scripts ask it, by this name.
  case dynamic(String)
}

extension Kind where Value == String {
  package static var text: Kind { Kind("TEXT", "text") { $0 } }

  /// Text with something in it.
  package static var word: Kind { Kind("WORD", "a word") { $0.isEmpty ? nil : $0 } }

  package static var file: Kind {
    Kind("FILE", "the name of a file", completion: .file) { $0.isEmpty ? nil : $0 }
  }

  package static var directory: Kind {
    Kind("DIR", "the name of a folder", completion: .directory) { $0.isEmpty ? nil : $0 }
  }

  package static func choice(_ placeholder: String, of words: [String]) -> Kind {
    Kind(
      placeholder, "one of " + words.joined(separator: ", "), completion: .choices(words)
    ) { words.contains($0) ? $0 : nil }
  }
}

extension Kind where Value == Int {
  package static func integer(_ range: ClosedRange<Int>) -> Kind {
    Kind("N", "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension Kind where Value == Duration {
  package static var duration: Kind {
    Kind("TIME", "a time such as 90s, 15m, 3d or 2w") { WrittenDuration($0)?.duration }
  }
}

extension Kind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases, by its raw word.
  package static func choice(_ placeholder: String) -> Kind {
    let words = Value.allCases.map(\.rawValue)
    return Kind(
      placeholder, "one of " + words.joined(separator: ", "), completion: .choices(words),
      parse: Value.init(rawValue:))
  }
}
