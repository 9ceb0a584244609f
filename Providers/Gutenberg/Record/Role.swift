import Circulation

/// What somebody did for a book: the creator, or a code of the Library of Congress' relators.
enum Role: Sendable, Hashable {
  case creator
  case relator(String)

  /// The nearest that Carrel has a word for. Nobody's code is lost: who is not known to be anything
  /// else contributed.
  var nearest: Contributor.Role {
    guard case .relator(let code) = self else { return .author }
    return Self.known[code] ?? .contributor
  }

  private static let known: [String: Contributor.Role] = [
    "aut": .author, "cre": .author, "lbt": .author, "lyr": .author, "aud": .author,
    "ill": .illustrator, "egr": .illustrator,
    "trl": .translator,
    "edt": .editor, "edc": .editor, "red": .editor,
    "aui": .authorOfIntroduction, "win": .authorOfIntroduction, "wpr": .authorOfIntroduction,
    "aft": .authorOfIntroduction, "waw": .authorOfIntroduction,
    "com": .compiler,
    "prf": .performer, "sng": .performer, "mus": .performer, "act": .performer, "cnd": .performer,
    "nrt": .narrator,
    "pht": .photographer,
    "cmp": .composer,
    "adp": .adapter, "arr": .adapter,
    "art": .artist, "cov": .artist,
    "drt": .director, "pro": .producer,
  ]

  /// The words that the table writes behind a name, in brackets.
  init(word: String) {
    let word = word.lowercased()
    if word == "creator" {
      self = .creator
    } else {
      self = .relator(Self.codes[word] ?? word)
    }
  }

  private static let codes: [String: String] = [
    "author": "aut", "illustrator": "ill", "translator": "trl", "editor": "edt",
    "contributor": "ctb", "author of introduction, etc.": "aui", "author of introduction": "aui",
    "compiler": "com", "commentator": "cmm", "annotator": "ann", "other": "oth",
    "dubious author": "dub", "performer": "prf", "photographer": "pht", "engraver": "egr",
    "composer": "cmp", "publisher": "pbl", "adapter": "adp", "artist": "art", "librettist": "lbt",
    "arranger": "arr", "unknown role": "unk", "printer": "prt", "transcriber": "trc",
    "conductor": "cnd", "author of afterword, colophon, etc.": "aft", "collaborator": "clb",
    "researcher": "res", "forger": "frg", "narrator": "nrt",
  ]
}
