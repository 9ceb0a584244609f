/// An English sentence with what is put into it. In English it is its own text and costs no more than
/// that; for other tongues it is also the key of the catalogue, with numbers for what is put in.
package struct Phrase: Sendable, ExpressibleByStringInterpolation {
  fileprivate let english: String
  fileprivate let key: String
  fileprivate let holes: [String]

  package init(stringLiteral words: String) { (english, key, holes) = (words, words, []) }

  package init(stringInterpolation parts: StringInterpolation) {
    (english, key, holes) = (parts.english, parts.key, parts.holes)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var english = ""
    fileprivate var key = ""
    fileprivate var holes: [String] = []
    private let isEnglish = Tongue.current == .english

    package init(literalCapacity: Int, interpolationCount: Int) {
      english.reserveCapacity(literalCapacity + interpolationCount * 12)
    }

    package mutating func appendLiteral(_ words: String) {
      english += words
      if !isEnglish { key += words }
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      english += value.description
      guard !isEnglish else { return }
      key += "{\(holes.count)}"
      holes.append(value.description)
    }
  }

  fileprivate static func filled(_ parts: [Catalogue.Part], _ holes: [String]) -> String {
    if parts.count == 1, case .words(let words) = parts[0] { return words }
    return parts.reduce(into: "") { text, part in
      switch part {
      case .words(let words): text += words
      case .hole(let number): if holes.indices.contains(number) { text += holes[number] }
      }
    }
  }
}

/// The sentence in the tongue of the moment; in English where its catalogue has none. `meaning` tells
/// apart what English says with one word.
package func said(_ phrase: Phrase, _ meaning: String? = nil) -> String {
  guard let catalogue = Catalogue.of(.current) else { return phrase.english }
  let key = meaning.map { "\(phrase.key) @\($0)" } ?? phrase.key
  guard let parts = catalogue.entries[key]?.first else { return phrase.english }
  return Phrase.filled(parts, phrase.holes)
}

/// The one of two sentences that goes with a number.
package func counted(_ number: Int, one: Phrase, many: Phrase) -> String {
  let tongue = Tongue.current
  let form = tongue.form(for: number)
  let phrase = form == 0 ? one : many
  guard let catalogue = Catalogue.of(tongue) else { return phrase.english }
  let forms = catalogue.entries[one.key + Catalogue.between + many.key] ?? []
  return forms.indices.contains(form)
    ? Phrase.filled(forms[form], phrase.holes) : phrase.english
}

/// Words that a table of ours has in English, which marks them by `phrase`.
package func said(known words: String) -> String {
  guard let catalogue = Catalogue.of(.current) else { return words }
  return catalogue.entries[words]?.first.map { Phrase.filled($0, []) } ?? words
}

/// Marks words of a table as ones that `said(known:)` will be asked for.
package func phrase(_ words: String) -> String { words }
