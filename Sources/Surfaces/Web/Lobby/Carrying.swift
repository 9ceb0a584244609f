import Books
import Catalog
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Registry
import Slips

/// What the forms of a book do.
enum BookDeed: String, Sendable, CaseIterable {
  case borrow, hold, renew, cancel, save, unsave
  case giveBack = "return"

  /// What the desk calls it; nil where no library has a part in it.
  var action: Slip.Action? {
    switch self {
    case .borrow: .borrow
    case .hold: .placeHold
    case .renew: .renew
    case .giveBack: .giveBack
    case .cancel: .cancelHold
    case .save, .unsave: nil
    }
  }
}

extension Lobby {
  /// Does what a form of a book says, and shows the book or the shelf again.
  func carry(_ request: Request, _ work: String) async -> Response {
    do throws(Problem) {
      guard let reader = try await reader(of: request) else {
        let back = FormFields([.init(Onward.field, LobbyPaths.work.print(work))])
        return redirect(request.link("\(LobbyPaths.signIn.print())?\(back.encoded)"))
      }
      guard let form = request.form, reader.seal.allows(request, form) else {
        throw Self.unsealed
      }
      guard let deed = form["do"].flatMap(BookDeed.init), let library = form["library"],
        let item = form["item"]
      else { throw Problem(.badRequest, code: "bad_value", detail: "This form is not complete.") }
      let caller = try await caller(request)
      let name: Stock.TitleName = (work, library, item)
      let did: String
      do throws(Problem) {
        did = try await carried(deed, name, reader, caller)
      } catch {
        return try await shown(error, work, request)
      }
      var query: FormFields = ["did": did, "at": library]
      if form["from"] == "my-books" {
        query.add("show", form["show"] ?? "all")
        return redirect(caller.link(LobbyPaths.myBooks.print(), query))
      }
      return redirect(caller.link(LobbyPaths.work.print(work), query))
    } catch {
      return refusal(error, request)
    }
  }

  /// In a word for the page that follows.
  private func carried(
    _ deed: BookDeed, _ name: Stock.TitleName, _ reader: Caller.Reader, _ caller: Caller
  ) async throws(Problem) -> String {
    guard let action = deed.action else {
      let (entry, listed) = try await stock.listed(name, caller.reach)
      try await choose(deed, entry.face, listed, reader)
      watch.forget()
      return deed.rawValue
    }
    let wanted = try await stock.wanted(name, caller.reach)
    let carrying = Carrying(
      wanted, from: stock, watch, by: lending, call: lending.call(reader.patron, caller.request),
      attempt: caller.request.attempt(of: reader.patron, on: "\(deed.rawValue) \(name)"))
    return try await carrying.perform(action).kind.rawValue
  }

  private func choose(
    _ deed: BookDeed, _ face: Edition, _ listed: ListedEdition, _ reader: Caller.Reader
  ) async throws(Problem) {
    let key = BookKey(listed.library, listed.edition.item)
    let said: Choice
    do throws(DatabaseError) {
      said =
        deed == .save
        ? try await books.save(
          key, BookFace(title: face.title, authors: face.authors), of: reader.patron)
        : try await books.unsave(key, of: reader.patron)
    } catch {
      throw Refusals.unread("Nothing can be written now.")
    }
    guard case .refused(let state) = said else { return }
    throw Problem(
      .conflict, code: "wrong_state", detail: "The book is \(state.word): it cannot be saved.",
      remedy: "Look at your books.")
  }

  /// The book again, with why it was not done.
  private func shown(
    _ problem: Problem, _ work: String, _ request: Request
  ) async throws(Problem) -> Response {
    let caller = try await caller(request)
    var page = try await BookPage.make(self, caller, work)
    page.notice = .alert(
      [problem.detail ?? problem.title, problem.remedy].compactMap(\.self).joined(separator: " "))
    var response = passing(page, caller, problem.status)
    if let seconds = problem.retryAfter ?? Refusals.patience(problem) {
      response.headers.set("Retry-After", "\(seconds)")
    }
    return response
  }
}
