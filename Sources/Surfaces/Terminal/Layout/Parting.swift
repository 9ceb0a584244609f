package import Hyphenation
import Text

/// The dictionaries for a book, some parts of which may be in other languages than the rest.
package struct Hyphens: Sendable {
  package let dictionaries: Hyphenation
  /// What is spoken where a paragraph does not say.
  package let language: String?

  package init(_ dictionaries: Hyphenation, language: String?) {
    (self.dictionaries, self.language) = (dictionaries, language)
  }

  func rules(for language: String?) -> HyphenRules? {
    (language ?? self.language).flatMap(dictionaries.rules(for:))
  }
}

/// How words of a paragraph are parted between two lines.
struct Parting {
  /// More hyphens below each other look like a ladder.
  static let mostInARow = 3

  let rules: HyphenRules
  /// No word is parted for fewer free cells.
  let zone: Int
  /// What is no language: code.
  let kept: [Range<Int>]

  /// Where a word may be parted by the rules. Only what is one word and nothing else, with its
  /// quotation marks or its comma, so that no address and no number gets a hyphen it does not have;
  /// and none whose author said with soft hyphens where it may be.
  func points(in bytes: [UInt8], _ word: Range<Int>) -> [Int] {
    guard word.lowerBound == 0 || [0x20, 0x0A].contains(bytes[word.lowerBound - 1]),
      let letters = Self.letters(in: bytes, word), !kept.contains(where: { $0.overlaps(letters) })
    else { return [] }
    return rules.places(in: bytes, letters).filter { Clusters.isBoundary($0, in: bytes, word) }
  }

  private static func letters(in bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
    var found: Range<Int>?
    var index = word.lowerBound
    while index < word.upperBound {
      let (value, length) = Scalars.read(bytes, index)
      let next = min(index + length, word.upperBound)
      if value == 0xAD { return nil }
      if let scalar = Unicode.Scalar(value), isOfWord(scalar) {
        guard let run = found else {
          found = index..<next
          index = next
          continue
        }
        // A second run of letters: a contraction, an address, a number with its unit.
        guard run.upperBound == index else { return nil }
        found = run.lowerBound..<next
      }
      index = next
    }
    return found
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: true
    default: scalar.properties.isAlphabetic
    }
  }
}
