import Testing

@testable import Matching

@Suite struct `Plain words` {
  /// A letter beyond ASCII at the end sends the same text the long way.
  @Test(arguments: [
    "The Wheel of Time", "l'Etranger", "L`Assommoir & d'autres + 2", "It's 1984 -- again!", "",
    "d'", "a''b", "&&", "\u{7F}x\u{0}y", "AT&T's Q.E.D.", String(repeating: "ab c", count: 149),
  ])
  func `Plain words are those of the long way`(_ text: String) {
    #expect(Words.of(text) + ["e"] == Words.of(text + " é"))
    #expect(Words.of(text[...]) == Words.of(text))
  }
}
