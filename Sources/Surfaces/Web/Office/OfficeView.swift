import BackOffice
import Circulation
import Database
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Machine
import Markup
import Phrasebook
import ReadingLists
import Registry

/// What the pages of operators have in common.
enum OfficeView {
  private static let rooms: [(title: String, path: String)] = [
    (phrase("Overview"), OfficePaths.home.print()),
    (phrase("Libraries"), OfficePaths.libraries.print()),
    (phrase("Services"), OfficePaths.services.print()), (phrase("Jobs"), OfficePaths.jobs.print()),
    (phrase("Lanes"), OfficePaths.lanes.print()), (phrase("Lists"), OfficePaths.lists.print()),
    (phrase("Readers"), OfficePaths.readers.print()), (phrase("Log"), OfficePaths.log.print()),
  ]

  /// `room` is the title of the place in the office; a page of one thing has a heading of its own.
  static func page(
    _ visit: OfficeVisit, _ room: String, heading: String? = nil, @Children _ main: () -> [Node]
  ) -> Page {
    let office = said("Office")
    let name = heading ?? (room == rooms[0].title ? office : said(known: room))
    let title = heading == nil && name != office ? "\(office): \(name)" : name
    var page = Page(title, .office) {
      tag("h1") { name }
      tag("nav", .init("class", "tabs"), .init("aria-label", office)) {
        for place in rooms {
          tag(
            "a", .init("href", visit.caller.link(place.path)),
            .init("aria-current", place.title == room ? "page" : nil)
          ) { said(known: place.title) }
        }
      }
      main()
    }
    page.notice = visit.caller.query["done"].flatMap { done[$0] }.map { .done(said(known: $0)) }
    return page
  }

  /// What was done, in words of ours: an address brings only the key.
  private static let done = [
    "hastened": phrase("It is due now; a worker takes it up within seconds."),
    "lanes": phrase("The lanes are saved and shown from now on."),
    "made": phrase("The list is made. Nobody else sees it until you publish it."),
    "renamed": phrase("The list has its new name."),
    "published": phrase("The list is shown as you said."),
    "added": phrase("The book stands on the list."),
    "there": phrase("The book stood on the list already."),
    "removed": phrase("The book is off the list."), "moved": phrase("The book is moved."),
    "dropped": phrase("The list is dropped."),
  ]

  // MARK: - Times

  /// `3 minutes ago`, or `in 2 hours`.
  static func time(_ moment: Int64?, _ now: Int64, never: String? = nil) -> Node {
    guard let moment else { return .text(never ?? said("never")) }
    let words = moment <= now ? since(now - moment) : ahead(moment - now)
    return tag("time", .init("datetime", Timestamp(millisecondsSinceEpoch: moment).rfc3339())) {
      words
    }
  }

  private static func since(_ milliseconds: Int64) -> String {
    switch Span(milliseconds) {
    case .moment: said("now", "just then")
    case .seconds(let n): counted(n, one: "\(n) second ago", many: "\(n) seconds ago")
    case .minutes(let n): counted(n, one: "\(n) minute ago", many: "\(n) minutes ago")
    case .hours(let n): counted(n, one: "\(n) hour ago", many: "\(n) hours ago")
    case .days(let n): counted(n, one: "\(n) day ago", many: "\(n) days ago")
    }
  }

  static func ahead(_ milliseconds: Int64) -> String {
    switch Span(milliseconds) {
    case .moment: said("now", "just then")
    case .seconds(let n): counted(n, one: "in \(n) second", many: "in \(n) seconds")
    case .minutes(let n): counted(n, one: "in \(n) minute", many: "in \(n) minutes")
    case .hours(let n): counted(n, one: "in \(n) hour", many: "in \(n) hours")
    case .days(let n): counted(n, one: "in \(n) day", many: "in \(n) days")
    }
  }

  /// Of a job that goes on.
  static func running(_ milliseconds: Int64) -> String {
    switch Span(milliseconds) {
    case .moment: said("Running")
    case .seconds(let n):
      counted(n, one: "Running for \(n) second", many: "Running for \(n) seconds")
    case .minutes(let n):
      counted(n, one: "Running for \(n) minute", many: "Running for \(n) minutes")
    case .hours(let n): counted(n, one: "Running for \(n) hour", many: "Running for \(n) hours")
    case .days(let n): counted(n, one: "Running for \(n) day", many: "Running for \(n) days")
    }
  }

  private enum Span {
    /// Less than five seconds.
    case moment
    case seconds(Int)
    case minutes(Int)
    case hours(Int)
    case days(Int)

    init(_ milliseconds: Int64) {
      let seconds = Int(milliseconds / 1000)
      switch seconds {
      case ..<5: self = .moment
      case ..<90: self = .seconds(seconds)
      case ..<5400: self = .minutes((seconds + 30) / 60)
      case ..<172_800: self = .hours((seconds + 1800) / 3600)
      default: self = .days((seconds + 43_200) / 86_400)
      }
    }
  }

  // MARK: - Forms

  /// One button that changes something. `unseen` is for those who hear it alone.
  static func button(
    _ words: String, _ path: String, _ fields: FormFields, _ visit: OfficeVisit,
    _ dress: String = "button second", unseen: String? = nil
  ) -> Node {
    form(path, fields, visit) {
      tag("button", .init("class", dress), .init("type", "submit")) {
        words
        if let unseen { tag("span", .init("class", "unseen")) { unseen } }
      }
    }
  }

  static func form(
    _ path: String, _ fields: FormFields, _ visit: OfficeVisit, _ dress: String? = nil,
    @Children _ inner: () -> [Node]
  ) -> Node {
    tag(
      "form", .init("method", "post"), .init("action", visit.caller.link(path)),
      .init("class", dress)
    ) {
      visit.lobby.sealed(visit.reader)
      for field in fields.fields { hidden(field.name, field.value) }
      inner()
    }
  }

  static func field(
    _ name: String, _ label: String, _ value: String = "", most: Int = 200, hint: String? = nil,
    isNeeded: Bool = true
  ) -> Node {
    tag("div", .init("class", "field")) {
      tag("label", .init("for", "office-\(name)")) { label }
      tag(
        "input", .init("id", "office-\(name)"), .init("name", name), .init("value", value),
        .init("maxlength", most), .init("required", isNeeded), .init("autocomplete", "off"),
        .init("aria-describedby", hint.map { _ in "hint-\(name)" }))
      if let hint {
        tag("p", .init("class", "small"), .init("id", "hint-\(name)")) { hint }
      }
    }
  }

  static func empty(_ words: String) -> Node {
    tag("p", .init("class", "empty")) { words }
  }
}

/// A table that becomes a stack of cards where there is no room for columns. Its roles are said,
/// because browsers forget them when rows are laid out in another way.
struct OfficeTable {
  let caption: String
  let columns: [String]
  var rows: [[[Node]]] = []

  mutating func add(_ cells: [Node]...) { rows.append(cells) }

  var node: Node {
    tag("table", .init("class", "table"), .init("role", "table")) {
      tag("caption", .init("class", "unseen")) { caption }
      tag("thead", .init("role", "rowgroup")) {
        tag("tr", .init("role", "row")) {
          for column in columns {
            tag("th", .init("scope", "col"), .init("role", "columnheader")) { column }
          }
        }
      }
      tag("tbody", .init("role", "rowgroup")) {
        for row in rows {
          tag("tr", .init("role", "row")) {
            for (place, cell) in row.enumerated() {
              if place == 0 {
                tag("th", .init("scope", "row"), .init("role", "rowheader")) { cell }
              } else if !cell.isEmpty {
                tag("td", .init("role", "cell"), .init("data-label", columns[place])) {
                  tag("span") { cell }
                }
              } else {
                tag("td", .init("role", "cell"), .init("class", "none"))
              }
            }
          }
        }
      }
    }
  }
}

// MARK: - What cannot be read

extension OfficeVisit {
  func registered<T: Sendable>(
    _ body: () async throws(RegistryError) -> T
  ) async throws(Problem) -> T {
    do throws(RegistryError) { return try await body() } catch {
      throw Refusals.unread(said("The registry cannot be read or written."))
    }
  }

  func read<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(Problem) -> T {
    do throws(DatabaseError) { return try await body() } catch {
      throw Refusals.unread(said("The database cannot be read or written."))
    }
  }

  func desked<T: Sendable>(
    _ body: () async throws(DeskError) -> T
  ) async throws(Problem) -> T {
    do throws(DeskError) { return try await body() } catch {
      throw Refusals.unread(said("The desk's notes cannot be read."))
    }
  }

  /// One line of the audit. Where it cannot be written, what it would be about must not happen.
  func note(_ action: AuditEntry.Action, _ kind: String, _ subject: String) async throws(Problem) {
    let deed = OfficeDeed(action, kind, subject, by: reader.patron.rawValue, request)
    try await registered { () throws(RegistryError) in try await office.registry.note(deed) }
  }
}
