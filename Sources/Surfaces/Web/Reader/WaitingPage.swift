import Catalog
import Circulation
import Database
import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// A book whose file is not here yet: how far it has come, or the button that fetches it.
enum WaitingPage {
  private static let libraryApp = phrase("the library’s own app")

  static func answer(
    _ lobby: Lobby, _ stock: ReadingStock, _ loan: ReaderLoan, _ caller: Caller,
    _ reader: Caller.Reader
  ) async throws(Problem) -> Response {
    let wish = wish(loan, reader)
    if let format = wish.format, !format.isFile {
      throw Problem(
        .conflict, code: "opens_elsewhere",
        detail: said("This book opens with \(said(known: format.opener ?? Self.libraryApp))."),
        remedy: said("It stays on loan."))
    }
    let ticket = try await ticket(loan, stock, reader)
    let face = loan.entry.face
    let isOnItsWay = ticket.map { [.queued, .running].contains($0.state) || $0.willBeTriedAgain }
    let page = Page(face.title) {
      tag("h1", BookCards.language(of: face)) { face.title }
      tag("p", .init("class", "lead"), .init("role", "status")) { words(ticket) }
      if let ticket, let total = ticket.total, total > 0, ticket.state == .running {
        tag(
          "progress", .init("max", total), .init("value", min(total, ticket.received)),
          .init("aria-label", said("How much has come")))
      }
      if isOnItsWay != true {
        tag(
          "form", .init("method", "post"),
          .init(
            "action",
            caller.link(ReaderPaths.book.print((loan.library.rawValue, loan.item.rawValue))))
        ) {
          lobby.sealed(reader)
          hidden("do", "open")
          tag("button", .init("class", "button"), .init("type", "submit")) {
            said("Fetch the book")
          }
        }
      }
    }
    var response = lobby.passing(page, caller)
    // Looks again by itself, also where no script runs.
    if isOnItsWay == true { response.headers.set("Refresh", "3") }
    return response
  }

  /// Puts the loan into the line of those that are fetched.
  static func fetch(
    _ loan: ReaderLoan, _ stock: ReadingStock, _ reader: Caller.Reader
  ) async throws(Problem) {
    do throws(DatabaseError) { _ = try await stock.queue.ask(wish(loan, reader)) } catch {
      throw Refusals.unread(said("The book cannot be asked for now."))
    }
  }

  private static func wish(_ loan: ReaderLoan, _ reader: Caller.Reader) -> Wish {
    let listed = loan.entry.edition(loan.item, at: loan.library)
    return Wish(
      loan.loan, on: loan.account.id, of: loan.library, for: reader.patron,
      edition: listed?.edition, isOpenAccess: listed?.availability?.status == .openAccess)
  }

  private static func ticket(
    _ loan: ReaderLoan, _ stock: ReadingStock, _ reader: Caller.Reader
  ) async throws(Problem) -> Ticket? {
    do throws(DatabaseError) {
      return try await stock.queue.tickets(of: reader.patron).first {
        $0.wish.account == loan.account.id && $0.wish.item == loan.item
      }
    } catch {
      throw Refusals.unread(said("The line of downloads cannot be read."))
    }
  }

  private static func words(_ ticket: Ticket?) -> String {
    guard let ticket else { return said("The book is on loan; its file is not here yet.") }
    switch ticket.state {
    case .queued: return said("The book is on its way: it waits for its turn.")
    case .running: return said("The book is on its way.")
    case .paused: return said("The download rests.")
    case .failed:
      return ticket.willBeTriedAgain
        ? said("The library did not hand it out; it is tried again.") : said("The download failed.")
    case .done: return said("The file of this book has gone.")
    }
  }
}
