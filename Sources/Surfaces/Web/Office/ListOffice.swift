import BackOffice
import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Mirrors
import Phrasebook
import ReadingLists
import Registry

/// One list of a librarian: its name, who sees it, and its books in their order.
enum ListOffice {
  static func make(_ visit: OfficeVisit, _ id: String) async throws(Problem) -> Page {
    let list = try await list(visit, id)
    let isFixed = try await isMirrored(visit, list)
    let members = try await visit.listed { () throws(ListError) in
      try await visit.office.lists.members(of: list.id, of: list.patron, atMost: 1000)
    }
    let finds = try await finds(visit)
    let view = ListView(visit: visit, list: list)
    return OfficeView.page(visit, "Lists", heading: list.name) {
      tag("p", .init("class", "lead")) {
        said(
          """
          By \(list.curator ?? said("nobody")); \
          \(counted(list.count, one: "\(list.count) book", many: "\(list.count) books")); shown to: \
          \(list.sharing.words).
          """)
      }
      if isFixed {
        tag("p", .init("class", "notice")) {
          said(
            """
            This list is kept in step with one at another service: its name and its going are \
            settled there.
            """)
        }
      }
      view.books(members)
      view.search(finds, members)
      view.settings(isFixed: isFixed)
    }
  }

  private static func list(_ visit: OfficeVisit, _ id: String) async throws(Problem) -> CustomList {
    guard let list = try await ListsOffice.all(visit).first(where: { $0.id.rawValue == id }) else {
      throw Problem(.notFound, code: "unknown_list", detail: said("There is no such list."))
    }
    return list
  }

  private static func isMirrored(
    _ visit: OfficeVisit, _ list: CustomList
  ) async throws(Problem) -> Bool {
    try await visit.read { () throws(DatabaseError) in
      try await visit.office.mirrors.mirrored(list.id) != nil
    }
  }

  /// By words or by ISBN, at all libraries of the house.
  private static func finds(_ visit: OfficeVisit) async throws(Problem) -> [CatalogEntry]? {
    guard let words = visit.caller.query["find"], !words.isEmpty, words.utf8.count <= 500 else {
      return nil
    }
    let query = CatalogQuery(
      words: words.composed, libraries: visit.lobby.stock.libraries, limit: 10)
    return try await visit.read { () throws(DatabaseError) in
      try await visit.office.catalog.search(query)
    }
  }

  // MARK: - What is done

  static func change(
    _ visit: OfficeVisit, _ id: String, _ form: FormFields
  ) async throws(Problem) -> OfficeEnd {
    let list = try await list(visit, id)
    guard let deed = form["do"].flatMap(Deed.init) else {
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
    if deed == .drop || deed == .rename, try await isMirrored(visit, list) {
      throw Problem(
        .conflict, code: "list_mirrored",
        detail: said("The list is kept in step with another service: change its name there."))
    }
    try await visit.note(deed == .drop ? .delete : .write, "list", list.id.rawValue)
    let word = try await done(deed, list, form, visit)
    visit.lobby.watch.forget()
    let query: FormFields = ["done": word]
    return deed == .drop
      ? .again(OfficePaths.lists.print(), query)
      : .again(OfficePaths.list.print(list.id.rawValue), query)
  }

  enum Deed: String { case rename, publish, add, remove, move, drop }

  private static func done(
    _ deed: Deed, _ list: CustomList, _ form: FormFields, _ visit: OfficeVisit
  ) async throws(Problem) -> String {
    let lists = visit.office.lists
    switch deed {
    case .rename:
      _ = try await visit.listed { () throws(ListError) in
        try await lists.rename(list.id, of: list.patron, to: form["name"] ?? "")
      }
      return "renamed"
    case .publish:
      let sharing = form["sharing"].flatMap(CustomList.Sharing.init) ?? list.sharing
      _ = try await visit.listed { () throws(ListError) in
        try await lists.share(
          list.id, of: list.patron, with: sharing, by: form["curator"] ?? list.curator)
      }
      return "published"
    case .add: return try await add(form["work"] ?? "", list, visit)
    case .remove:
      try await visit.listed { () throws(ListError) in
        try await lists.remove(form["member"] ?? "", of: list.id, of: list.patron)
      }
      return "removed"
    case .move: return try await move(form, list, visit)
    case .drop:
      try await visit.listed { () throws(ListError) in
        try await lists.delete(list.id, of: list.patron)
      }
      return "dropped"
    }
  }

  private static func add(
    _ work: String, _ list: CustomList, _ visit: OfficeVisit
  ) async throws(Problem) -> String {
    let entry = try await visit.read { () throws(DatabaseError) in
      try await visit.office.catalog.work(WorkID(work))
    }
    guard let entry else {
      throw Problem(
        .notFound, code: "unknown_title", detail: said("No library has this title any more."))
    }
    let face = entry.lead.edition
    let addition = try await visit.listed { () throws(ListError) in
      try await visit.office.lists.add(
        ListedBook(
          work: entry.work, title: face.title, authors: face.authors, isbns: face.isbns),
        to: list.id, of: list.patron, hint: face.title)
    }
    if case .there = addition { return "there" }
    return "added"
  }

  private static func move(
    _ form: FormFields, _ list: CustomList, _ visit: OfficeVisit
  ) async throws(Problem) -> String {
    guard let place = form["place"].flatMap({ Int($0) }), let id = form["member"] else {
      throw Problem(.badRequest, code: "bad_value", detail: said("A place is a number from 1."))
    }
    let lists = visit.office.lists
    let member = try await visit.listed { () throws(ListError) in
      try await lists.member(id, of: list.id, of: list.patron)
    }
    _ = try await visit.listed { () throws(ListError) in
      try await lists.change(
        id, of: list.id, of: list.patron, note: member.book.note, place: place)
    }
    return "moved"
  }
}

/// How one list looks.
private struct ListView {
  let visit: OfficeVisit
  let list: CustomList

  private var path: String { OfficePaths.list.print(list.id.rawValue) }

  func books(_ members: [ListMember]) -> Node {
    guard !members.isEmpty else {
      return OfficeView.empty(said("No book stands on the list yet. Find one below."))
    }
    return tag("ol", .init("class", "members")) {
      for member in members {
        tag("li") {
          tag("span", .init("class", "told")) {
            tag("span", .init("class", "title")) { "\(member.place). \(member.book.title)" }
            tag("span", .init("class", "who")) { member.book.authors.joined(separator: ", ") }
          }
          tag("span", .init("class", "actions")) {
            if member.place > 1 { mover("↑", said("Move up"), member, member.place - 1) }
            if member.place < members.count {
              mover("↓", said("Move down"), member, member.place + 1)
            }
            OfficeView.button(
              said("Remove"), path, ["do": "remove", "member": member.id], visit,
              unseen: ": \(member.book.title)")
          }
        }
      }
    }
  }

  private func mover(_ sign: String, _ words: String, _ member: ListMember, _ place: Int) -> Node {
    OfficeView.form(
      path, ["do": "move", "member": member.id, "place": "\(place)"], visit
    ) {
      tag(
        "button", .init("class", "button second"), .init("type", "submit"),
        .init("aria-label", "\(words): \(member.book.title)")
      ) { sign }
    }
  }

  func search(_ finds: [CatalogEntry]?, _ members: [ListMember]) -> Node {
    let there = Set(members.compactMap(\.work))
    return tag("section", .init("id", "find")) {
      tag("h2") { said("Add a book") }
      tag(
        "form", .init("method", "get"), .init("class", "stack"),
        .init("action", visit.caller.link(path) + "#find")
      ) {
        OfficeView.field(
          "find", said("Title, author or ISBN"), visit.caller.query["find"] ?? "", most: 500)
        tag("button", .init("class", "button second"), .init("type", "submit")) { said("Find") }
      }
      if let finds {
        if finds.isEmpty {
          OfficeView.empty(said("No library of this gateway has a book like that."))
        } else {
          tag("ul", .init("class", "members")) { for find in finds { found(find, there) } }
        }
      }
    }
  }

  private func found(_ entry: CatalogEntry, _ there: Set<WorkID>) -> Node {
    tag("li") {
      tag("span", .init("class", "told")) {
        tag("span", .init("class", "title")) { entry.face.title }
        tag("span", .init("class", "who")) { entry.face.authors.joined(separator: ", ") }
      }
      tag("span", .init("class", "actions")) {
        if there.contains(entry.work) {
          tag("span", .init("class", "state now")) { said("On the list") }
        } else {
          OfficeView.button(
            said("Add"), path, ["do": "add", "work": entry.work.rawValue], visit,
            unseen: ": \(entry.face.title)")
        }
      }
    }
  }

  func settings(isFixed: Bool) -> Node {
    tag("section") {
      tag("h2") { said("The list itself") }
      OfficeView.form(path, ["do": "publish"], visit, "stack") {
        OfficeView.field("curator", said("Whose name it goes by"), list.curator ?? "")
        tag("fieldset") {
          tag("legend") { said("Who sees it") }
          for sharing in CustomList.Sharing.allCases {
            tag("label", .init("class", "choice")) {
              tag(
                "input", .init("type", "radio"), .init("name", "sharing"),
                .init("value", sharing.rawValue), .init("checked", sharing == list.sharing))
              " \(sharing.words)"
            }
          }
        }
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Save") }
      }
      if !isFixed {
        OfficeView.form(path, ["do": "rename"], visit, "stack") {
          OfficeView.field("name", said("What it is called"), list.name)
          tag("button", .init("class", "button second"), .init("type", "submit")) { said("Rename") }
        }
        tag("details", .init("class", "danger")) {
          tag("summary") { said("Drop the list") }
          tag("p") { said("The list and its order are gone then, for its readers, too.") }
          OfficeView.button(said("Drop “\(list.name)”"), path, ["do": "drop"], visit)
        }
      }
    }
  }
}
