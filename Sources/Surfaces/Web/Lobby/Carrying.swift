import Books
import Catalog
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Phrasebook
import Registry
import Slips

/// What the forms of a book do.
enum BookDeed: String, Sendable, CaseIterable {
  /// Sent by every form that asks a library for something: the same one for as long as nothing was
  /// asked of it, so that a form that is sent twice asks once.
  static let keyField = "key"

  case borrow, hold, renew, cancel
  case save, unsave, ignore, unignore, dismiss
  /// Asks for the file of a loan.
  case fetch
  /// Puts it on a list.
  case enlist
  case giveBack = "return"

  /// What the desk calls it; nil where no library has a part in it.
  var action: Slip.Action? {
    switch self {
    case .borrow: .borrow
    case .hold: .placeHold
    case .renew: .renew
    case .giveBack: .giveBack
    case .cancel: .cancelHold
    case .save, .unsave, .ignore, .unignore, .dismiss, .fetch, .enlist: nil
    }
  }
}

extension Lobby {
  /// What one form asks for.
  struct Order {
    let deed: BookDeed
    let work: String
    let form: FormFields
    let reader: Caller.Reader
    let caller: Caller

    /// Nil where the form is about the work and none of its editions.
    var name: Stock.TitleName? {
      guard let library = form["library"], let item = form["item"] else { return nil }
      return (work, library, item)
    }

    /// Of the page that the form stood on, or the client's own.
    func key(_ name: Stock.TitleName) -> RequestKey? {
      let route = "\(deed.rawValue) \(name) \(form["branch"] ?? "")"
      guard let key = form[BookDeed.keyField], RequestKey.isFit(key) else {
        return caller.request.key(of: reader.patron, on: route)
      }
      return RequestKey(key, of: reader.patron, on: route, asking: "", isAnsweredAlike: false)
    }
  }

  /// Does what a form of a book says, and shows the page again that it was on.
  func carry(_ request: Request, _ work: String) async -> Response {
    do throws(Problem) {
      guard let reader = try await reader(of: request) else {
        let back = FormFields([.init(Onward.field, LobbyPaths.work.print(work))])
        return redirect(request.link("\(LobbyPaths.signIn.print())?\(back.encoded)"))
      }
      guard let form = request.form, reader.seal.allows(request, form) else {
        throw Self.unsealed
      }
      guard let deed = form["do"].flatMap(BookDeed.init) else { throw Self.incomplete }
      let order = Order(
        deed: deed, work: work, form: form, reader: reader, caller: try await caller(request))
      var news: FormFields
      do throws(Problem) { news = ["did": try await carried(order)] } catch {
        return try await shown(error, work, request)
      }
      if let library = form["library"] { news.add("at", library) }
      let page = form["from"].map { Onward($0) }
      if page != nil { news.add("of", work) }
      return redirect(request.link((page?.path ?? LobbyPaths.work.print(work)).adding(news)))
    } catch {
      return refusal(error, request)
    }
  }

  static var incomplete: Problem {
    Problem(
      .badRequest, code: "bad_value", detail: said("This form is not complete."))
  }

  /// In a word for the page that follows.
  private func carried(_ order: Order) async throws(Problem) -> String {
    guard let action = order.deed.action else { return try await choose(order) }
    guard let name = order.name else { throw Self.incomplete }
    let (caller, reader) = (order.caller, order.reader)
    let call = lending.call(reader.patron, caller.request)
    let branch = order.form["branch"]
    var wanted: Wanted?
    let deed: Deed
    if let key = order.key(name) {
      deed = try await lending.deed(for: key, of: reader.patron) { () throws(Problem) in
        let found = try await stock.wanted(name, caller.reach)
        wanted = found
        return Slip(
          action, found.item, on: found.account.id, of: found.entry.work, choice: branch)
      } carry: { begun throws(Problem) in
        try await stock.carrying(begun, caller.reach, watch, by: lending, call: call)
          .perform(action, choice: branch)
      }.deed
    } else {
      let found = try await stock.wanted(name, caller.reach)
      wanted = found
      deed = try await Carrying(
        found, from: stock, watch, by: lending, call: call, attempt: Request.newAttempt
      ).perform(action, choice: branch)
    }
    // It is lent; a line that cannot be written now is asked again by its button.
    if deed.kind == .lent, let wanted { try? await fetchLent(wanted, reader) }
    return deed.kind.rawValue
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

extension String {
  /// A path with more behind its question mark.
  fileprivate func adding(_ fields: FormFields) -> String {
    fields.isEmpty ? self : self + (contains("?") ? "&" : "?") + fields.encoded
  }
}
