import Catalog
import Circulation
import FrontDesk
import Phrasebook

/// What the shelves say: the library, lanes, searches, a book.
extension Phrases {
  // MARK: - The library

  static var lookAround: String { said("Look around; sign in with a library card to borrow.") }
  static var onLoan: String { said("On loan") }
  static var nothingOnLoan: String {
    said("Nothing is on loan. Borrow a book, and it stands here with the days it has left.")
  }
  static var more: String { said("More") }
  static var emptyShelves: String { said("The shelves are still empty.") }
  static var allYours: String { said("yours to keep") }

  static func library(of owner: String) -> String { said("The library of \(owner)") }

  static func ready(_ count: Int) -> String {
    counted(
      count, one: "\(count) book is ready for you", many: "\(count) books are ready for you")
  }

  static var readyWhy: String { said("borrow before somebody else’s turn comes.") }

  // MARK: - Lanes and searches

  static var noLane: String { said("There is no such shelf here.") }
  static var recommendNothing: String {
    said("Borrow a book, and what is like it comes to stand here.")
  }
  static var emptyLane: String { said("Nothing stands here yet.") }
  static var search: String { said("Search") }
  static var searchHow: String {
    said("Type a title, an author, a subject or an ISBN. All your libraries are searched at once.")
  }
  static var foundNothing: String { said("None of your libraries has anything like that.") }
  static var searchOtherwise: String { said("Try fewer words, or another spelling of the name.") }
  static var searchWider: String { said("Search again without narrowing") }
  static var narrow: String { said("Narrow", "a search") }
  static var without: String { said("Without") }
  static var pages: String { said("Pages") }
  static var previous: String { said("Previous") }
  static var next: String { said("Next") }

  static func search(_ words: String) -> String {
    words.isEmpty ? search : said("Search: \(words)")
  }

  static func titles(_ count: Int) -> String {
    counted(count, one: "\(count) title", many: "\(Numerals.grouped(count)) titles")
  }

  static func page(_ page: Int, of last: Int) -> String {
    said("Page \(Numerals.grouped(page)) of \(Numerals.grouped(last))")
  }

  // MARK: - How one gets a book

  static var borrow: String { said("Borrow") }
  static var giveBack: String { said("Return") }
  static var renew: String { said("Renew") }
  static var letGo: String { said("Let it go") }
  static var cancelHold: String { said("Cancel the hold") }
  static var hold: String { said("Place a hold") }

  static func best(_ reasons: [String], _ rank: Int, of ways: Int) -> String {
    let text = reasons.joined(separator: "; ")
    return rank == 0 && ways > 1
      ? said("Best choice: \(text).") : text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  // MARK: - What a book is

  static var about: String { said("About this book") }
  static var details: String { said("Details") }

  /// What the lines of the details are called.
  enum Detail {
    case with, published, publisher, language, audience, isbn

    var words: String {
      switch self {
      case .with: said("With", "helpers of a book")
      case .published: said("Published")
      case .publisher: said("Publisher")
      case .language: said("Language")
      case .audience: said("For", "readers")
      case .isbn: "ISBN"
      }
    }
  }

  static func contributor(_ name: String, _ role: Contributor.Role) -> String {
    "\(name) (\(said(known: role.rawValue.replacing("_", with: " "))))"
  }
}
