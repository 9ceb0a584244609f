import Circulation
import Matching

/// Whether a record of the library is the book that was asked for. A number is not enough, since
/// records have wrong ones, and a likeness is not either: nobody waits for a guess.
enum TitleMatch {
  /// The book has one of the numbers, and nothing speaks against it; or it is the same by title,
  /// author and language.
  static func isSame(_ edition: Edition, as book: BookNumbers) -> Bool {
    guard let title = book.title else {
      return !Set(edition.isbns).isDisjoint(with: book.isbns)
    }
    var wanted = Candidate(title: title, authors: book.authors)
    wanted.languages = book.language.map { [$0] } ?? []
    wanted.isbns = book.isbns
    wanted.medium = .book
    let verdict = Matcher.verdict(wanted, Candidate(edition))
    return verdict.verdict == .same && verdict.score >= threshold
  }

  private static let threshold = 0.85
}
