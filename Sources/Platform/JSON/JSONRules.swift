/// How much of a stranger's JSON we hold, and what we do where the format is silent. Every parse
/// has limits; there is no spelling for "none".
package struct JSONRules: Sendable, Hashable {
  package enum DuplicateNames: Sendable { case refused, lastCounts, firstCounts }
  package enum LoneSurrogates: Sendable { case refused, replaced }
  package enum ZeroCharacters: Sendable { case kept, replaced }

  /// The parser descends by calling itself; this many levels fit any thread's stack.
  static let deepest = 512

  package var maximumBytes: Int
  package var maximumDepth: Int
  package var maximumValues: Int
  package var duplicateNames: DuplicateNames
  package var loneSurrogates: LoneSurrogates
  /// `\u0000`, which no database takes for text.
  package var zeroCharacters: ZeroCharacters

  package init(
    maximumBytes: Int = 32 << 20, maximumDepth: Int = 128, maximumValues: Int = 2_000_000,
    duplicateNames: DuplicateNames = .refused, loneSurrogates: LoneSurrogates = .refused,
    zeroCharacters: ZeroCharacters = .kept
  ) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = min(maximumDepth, Self.deepest)
    self.maximumValues = maximumValues
    self.duplicateNames = duplicateNames
    self.loneSurrogates = loneSurrogates
    self.zeroCharacters = zeroCharacters
  }

  /// For what we write ourselves, and wherever ambiguity could be an attack.
  package static let strict = JSONRules()

  /// For catalogues and apps of other people: one title cut in the middle of an emoji, or one name given
  /// twice, must not lose a page of books.
  package static let tolerant = JSONRules(
    duplicateNames: .lastCounts, loneSurrogates: .replaced, zeroCharacters: .replaced)
}
