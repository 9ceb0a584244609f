import BackOffice
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import ReadingLists
import Registry

/// Lists that librarians put together: all of them, also those that nobody else sees yet.
enum ListsOffice {
  static func all(_ visit: OfficeVisit) async throws(Problem) -> [CustomList] {
    try await visit.listed { () throws(ListError) in try await visit.office.lists.librarians() }
  }

  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let lists = try await all(visit)
    var table = OfficeTable(
      caption: said("Lists of librarians"),
      columns: [
        said("List"), said("By", "whom"), said("Books"), said("Shown to"), said("Changed"),
      ])
    for list in lists {
      table.add(
        [
          tag("a", .init("href", visit.caller.link(OfficePaths.list.print(list.id.rawValue)))) {
            list.name
          }
        ],
        [.text(list.curator ?? "")], [.text("\(list.count)")],
        [
          tag("span", .init("class", list.sharing == .private ? "state later" : "state now")) {
            list.sharing.words
          }
        ], [OfficeView.time(list.editedAt, visit.now)])
    }
    return OfficeView.page(visit, "Lists") {
      if lists.isEmpty {
        OfficeView.empty(said("No librarian has a list yet. Make the first one below."))
      } else {
        table.node
      }
      tag("section") {
        tag("h2") { said("A new list") }
        OfficeView.form(OfficePaths.lists.print(), ["do": "make"], visit, "stack") {
          OfficeView.field("name", said("What it is called"))
          OfficeView.field(
            "curator", said("Whose name it goes by"), visit.reader.pass.owner,
            hint: said("Readers see it beside the list."))
          tag("button", .init("class", "button"), .init("type", "submit")) { said("Make the list") }
        }
      }
    }
  }

  static func change(
    _ visit: OfficeVisit, _ form: FormFields
  ) async throws(Problem) -> OfficeEnd {
    guard form["do"] == "make", let name = form["name"], let curator = form["curator"] else {
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
    let list = try await visit.listed { () throws(ListError) in
      try await visit.office.lists.create(
        named: name, for: visit.reader.patron, sharing: .private, by: curator)
    }
    try await visit.note(.write, "list", list.id.rawValue)
    visit.lobby.watch.forget()
    return .again(OfficePaths.list.print(list.id.rawValue), ["done": "made"])
  }
}

extension CustomList.Sharing {
  var words: String {
    switch self {
    case .private: said("Nobody else yet")
    case .friends: said("Readers who have signed in")
    case .everyone: said("Everybody")
    }
  }
}

extension OfficeVisit {
  func listed<T: Sendable>(
    _ body: () async throws(ListError) -> T
  ) async throws(Problem) -> T {
    do throws(ListError) { return try await body() } catch {
      switch error {
      case .database: throw Refusals.unread(said("The lists cannot be read or written."))
      case .noSuchList, .noSuchMember:
        throw Problem(
          .notFound, code: "unknown_list",
          detail: said("There is no such list, or no such book on it."),
          remedy: said("Somebody else may have changed it: look at the lists again."))
      case .nameTaken(let name):
        throw Problem(
          .conflict, code: "list_exists", detail: said("Another list is called “\(name)”."),
          remedy: said("Go back and choose another name."))
      case .badName, .tooLong:
        throw Problem(
          .unprocessableContent, code: "bad_value",
          detail: said("That is too long, or no name at all."),
          remedy: said("Go back and shorten it."))
      case .tooManyLists(let most), .tooManyEntries(let most):
        throw Problem(
          .conflict, code: "limit_reached",
          detail: said("This gateway stores at most \(most) of them for one patron."),
          remedy: said("Remove some of them first."))
      case .changedSince:
        throw Problem(
          .conflict, code: "changed_since", detail: said("Somebody else changed it meanwhile."),
          remedy: said("Go back and load the page again."))
      }
    }
  }
}
