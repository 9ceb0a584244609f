import Catalog
import Circulation
import FrontDesk

/// What the shelves say: the library, lanes, searches, a book.
extension Phrases {
  // MARK: - The library

  static let lookAround = "Look around; sign in with a library card to borrow."
  static let onLoan = "On loan"
  static let nothingOnLoan =
    "Nothing is on loan. Borrow a book, and it stands here with the days it has left."
  static let more = "More"
  static let emptyShelves = "The shelves are still empty."
  static let allYours = "yours to keep"

  static func library(of owner: String) -> String { "The library of \(owner)" }

  static func ready(_ count: Int) -> String {
    Words.count(count, "book is ready for you", "books are ready for you")
  }

  static let readyWhy = " — borrow before somebody else’s turn comes."

  /// What brings books here, with the command between the two.
  static let harvest = (
    before: "What the libraries have is fetched by ", after: ", and from then on by itself."
  )

  /// After `More`, for those who hear it alone.
  static func more(of lane: String) -> String { " of \(lane)" }

  // MARK: - Lanes and searches

  static let noLane = "There is no such shelf here."
  static let recommendNothing = "Borrow a book, and what is like it comes to stand here."
  static let emptyLane = "Nothing stands here yet."
  static let search = "Search"
  static let searchHow =
    "Type a title, an author, a subject or an ISBN. All your libraries are searched at once."
  static let foundNothing = "None of your libraries has anything like that."
  static let searchOtherwise = "Try fewer words, or another spelling of the name."
  static let searchWider = "Search again without narrowing"
  static let narrow = "Narrow"
  static let without = "Without: "
  static let pages = "Pages"
  static let previous = "Previous"
  static let next = "Next"

  static func search(_ words: String) -> String { words.isEmpty ? search : "Search: \(words)" }

  static func titles(_ count: Int) -> String {
    "\(Labels.grouped(count)) \(count == 1 ? "title" : "titles")"
  }

  static func page(_ page: Int, of last: Int) -> String {
    "Page \(Labels.grouped(page)) of \(Labels.grouped(last))"
  }

  // MARK: - How one gets a book

  static let borrow = "Borrow"
  static let giveBack = "Return"
  static let renew = "Renew"
  static let letGo = "Let it go"
  static let cancelHold = "Cancel the hold"
  static let hold = "Place a hold"

  static func best(_ reasons: [String], _ rank: Int, of ways: Int) -> String {
    let text = reasons.joined(separator: "; ")
    return rank == 0 && ways > 1
      ? "Best choice: \(text)." : text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  // MARK: - What a book is

  static let about = "About this book"
  static let details = "Details"
  static let by = "by "

  /// What the lines of the details are called.
  enum Detail: String {
    case with = "With"
    case published = "Published"
    case publisher = "Publisher"
    case language = "Language"
    case audience = "For"
    case isbn = "ISBN"
  }

  static func contributor(_ name: String, _ role: Contributor.Role) -> String {
    "\(name) (\(role.rawValue.replacing("_", with: " ")))"
  }
}
