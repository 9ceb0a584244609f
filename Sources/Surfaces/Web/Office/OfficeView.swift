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
    ("Overview", OfficePaths.home.print()), ("Libraries", OfficePaths.libraries.print()),
    ("Services", OfficePaths.services.print()), ("Jobs", OfficePaths.jobs.print()),
    ("Lanes", OfficePaths.lanes.print()), ("Lists", OfficePaths.lists.print()),
    ("Readers", OfficePaths.readers.print()), ("Log", OfficePaths.log.print()),
  ]

  /// `room` is the title of the place in the office; a page of one thing has a heading of its own.
  static func page(
    _ visit: OfficeVisit, _ room: String, heading: String? = nil, @Children _ main: () -> [Node]
  ) -> Page {
    var page = Page(heading ?? (room == "Overview" ? "Office" : "Office: \(room)"), .office) {
      tag("h1") { heading ?? (room == "Overview" ? "Office" : room) }
      tag("nav", .init("class", "tabs"), .init("aria-label", "Office")) {
        for place in rooms {
          tag(
            "a", .init("href", visit.caller.link(place.path)),
            .init("aria-current", place.title == room ? "page" : nil)
          ) { place.title }
        }
      }
      main()
    }
    page.notice = visit.caller.query["done"].flatMap { done[$0] }.map { .done($0) }
    return page
  }

  /// What was done, in words of ours: an address brings only the key.
  private static let done = [
    "hastened": "It is due now; a worker takes it up within seconds.",
    "lanes": "The lanes are saved and shown from now on.",
    "made": "The list is made. Nobody else sees it until you publish it.",
    "renamed": "The list has its new name.", "published": "The list is shown as you said.",
    "added": "The book stands on the list.", "there": "The book stood on the list already.",
    "removed": "The book is off the list.", "moved": "The book is moved.",
    "dropped": "The list is dropped.",
  ]

  // MARK: - Times

  /// `3 minutes ago`, or `in 2 hours`.
  static func time(_ moment: Int64?, _ now: Int64, never: String = "never") -> Node {
    guard let moment else { return .text(never) }
    let words = span(abs(moment - now))
    return tag("time", .init("datetime", Timestamp(millisecondsSinceEpoch: moment).rfc3339())) {
      if words.isEmpty { "now" } else { moment <= now ? "\(words) ago" : "in \(words)" }
    }
  }

  /// Empty for less than five seconds.
  static func span(_ milliseconds: Int64) -> String {
    let seconds = Int(milliseconds / 1000)
    switch seconds {
    case ..<5: return ""
    case ..<90: return OfficeWords.count(seconds, "second", "seconds")
    case ..<5400: return OfficeWords.count((seconds + 30) / 60, "minute", "minutes")
    case ..<172_800: return OfficeWords.count((seconds + 1800) / 3600, "hour", "hours")
    default: return OfficeWords.count((seconds + 43_200) / 86_400, "day", "days")
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
      throw Refusals.unread("The registry cannot be read or written.")
    }
  }

  func read<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(Problem) -> T {
    do throws(DatabaseError) { return try await body() } catch {
      throw Refusals.unread("The database cannot be read or written.")
    }
  }

  func desked<T: Sendable>(
    _ body: () async throws(DeskError) -> T
  ) async throws(Problem) -> T {
    do throws(DeskError) { return try await body() } catch {
      throw Refusals.unread("The desk's notes cannot be read.")
    }
  }

  /// One line of the audit. Where it cannot be written, what it would be about must not happen.
  func note(_ action: AuditEntry.Action, _ kind: String, _ subject: String) async throws(Problem) {
    let deed = OfficeDeed(action, kind, subject, by: reader.patron.rawValue, request)
    try await registered { () throws(RegistryError) in try await office.registry.note(deed) }
  }
}
