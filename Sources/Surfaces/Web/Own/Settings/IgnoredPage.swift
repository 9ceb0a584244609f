import Books
import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook

/// What lanes and recommendations leave out for this reader, with the way back.
struct IgnoredPage: Sendable {
  private let own: Own
  private static let path = OwnPaths.ignored.print()

  init(_ own: Own) { self.own = own }

  func page() async throws(Problem) -> Page {
    let books: [KeptBook]
    do throws(DatabaseError) {
      books = try await own.lobby.books.ignored(by: own.reader.patron)
    } catch {
      throw Refusals.unread(said("Your books cannot be read."))
    }
    let catalog = own.lobby.stock.catalog
    let works = try await own.lobby.stock.read { () throws(DatabaseError) in
      try await catalog.works(for: books.map { ($0.key.library, $0.key.item) })
    }
    return own.setting(said("Ignored books")) {
      if books.isEmpty {
        tag("p", .init("class", "empty")) { said("You ignore nothing: every book is shown.") }
      } else {
        tag("ul", .init("class", "lines")) {
          for (book, work) in zip(books, works) {
            tag("li") {
              face(book, work)
              own.button(
                said("Show it again"), "unignore", at: Self.path, unseen: book.face.title,
                [("library", book.key.library.rawValue), ("item", book.key.item.rawValue)])
            }
          }
        }
      }
    }
  }

  private func face(_ book: KeptBook, _ work: WorkID?) -> Node {
    let title = tag("span", .init("class", "title")) { book.face.title }
    let who = tag("span", .init("class", "small")) {
      book.face.authors.isEmpty
        ? own.lobby.stock.nameOfLibrary(book.key.library)
        : book.face.authors.joined(separator: ", ")
    }
    guard let work else { return tag("span", attributes: [], children: [title, who]) }
    return tag(
      "a", attributes: [.init("href", own.link(LobbyPaths.work.print(work.rawValue)))],
      children: [title, who])
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    guard form["do"] == "unignore", let library = form["library"], let item = form["item"] else {
      throw incompleteForm
    }
    do throws(DatabaseError) {
      _ = try await own.lobby.books.unignore(
        BookKey(LibraryID(library), ItemID(item)), of: own.reader.patron)
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
    return .onward(Self.path, ["did": OwnDeed.unignored.rawValue])
  }
}
