import Database

extension Snapshot {
  /// With the longer words that beginnings stand for, where these are few: the index has a list for
  /// each, and would put all of them into one before the first book comes out of it.
  func endings(of wanted: Wanted) throws(DatabaseError) -> Wanted {
    var wanted = wanted
    for (index, term) in wanted.terms.enumerated() where term.isBeginning {
      // Of a number the longer ones are not kept.
      guard let word = term.words.first, term.words.count == 1,
        word.utf8.first.map({ $0 > 0x39 }) ?? false
      else { continue }
      let letters = word.unicodeScalars.count
      var longer = Term.Longer()
      // There is one list for all words with the same three letters in front; the sign of a subject
      // is one of them.
      if letters > 3 { longer.words = try words(longerThan: word) }
      if letters > 2 { longer.subjects = try words(longerThan: Mark.subject(word)) }
      wanted.terms[index].longer = longer
    }
    return wanted
  }

  /// Nil where there are too many.
  private func words(longerThan beginning: String) throws(DatabaseError) -> [String]? {
    let most = 24
    let words = try rows(
      """
      SELECT word FROM catalog_term
      WHERE word > \(beginning) AND word < \(beginning + "\u{10FFFF}")
      ORDER BY word LIMIT \(most + 1)
      """
    ) { row throws(DatabaseError) -> String in try row[0] }
    return words.count > most ? nil : words
  }
}
