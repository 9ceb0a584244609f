import BackOffice
import Catalog
import Circulation
import Crypto
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Shelving

/// The lanes that are shown, a rule to try, and the text that they are made from.
enum LanesOffice {
  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    try await page(visit, typed: nil, faults: [])
  }

  static func change(
    _ visit: OfficeVisit, _ form: FormFields
  ) async throws(Problem) -> OfficeEnd {
    guard form["do"] == "save", let typed = form["text"] else {
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
    // Browsers send line ends as CR and LF.
    let text = typed.replacing("\r\n", with: "\n")
    let written = try written(visit)
    if let obstacle = written.obstacle { throw unwritable(obstacle) }
    let faults = visit.office.lanes.read(text).faults
    guard faults.isEmpty else {
      var page = try await page(visit, typed: text, faults: faults)
      page.notice = .alert(said("Nothing was saved: the text has faults. They are told above it."))
      return .refused(page, .unprocessableContent)
    }
    guard form["mark"] == mark(of: written.text) else {
      var page = try await page(visit, typed: text, faults: [])
      page.notice = .alert(
        said(
          "Nothing was saved: somebody else changed the file meanwhile. Saving again replaces that."
        ))
      return .refused(page, .conflict)
    }
    try await visit.note(.write, "lanes", written.path ?? "")
    do throws(LaneDesk.Failure) { _ = try visit.office.lanes.save(text) } catch {
      throw unwritable(error.sentence)
    }
    visit.lobby.watch.forget()
    return .again(OfficePaths.lanes.print(), ["done": "lanes"])
  }

  private static func unwritable(_ why: String) -> Problem {
    Problem(
      .serviceUnavailable, code: "unwritable", detail: said("The lanes cannot be saved. \(why)"),
      remedy: said("Change the file where the gateway runs; it is read again within ten seconds."))
  }

  private static func written(_ visit: OfficeVisit) throws(Problem) -> LaneDesk.Written {
    do throws(LaneDesk.Failure) { return try visit.office.lanes.written() } catch {
      throw Problem(.serviceUnavailable, code: "unreadable", detail: error.sentence)
    }
  }

  private static func mark(of text: String) -> String {
    Base64.urlSafe.encode(Array(Digest.sha256.hash(Array(text.utf8)).prefix(12)))
  }

  // MARK: - The page

  private static func page(
    _ visit: OfficeVisit, typed: String?, faults: [LaneDesk.Fault]
  ) async throws(Problem) -> Page {
    let written = try written(visit)
    let tree = try await tree(visit)
    let trial = try await LaneTrial.make(visit)
    let now = typed == nil ? visit.office.lanes.read(written.text).faults : faults
    return OfficeView.page(visit, "Lanes") {
      tag("section") {
        tag("h2") { said("What is shown") }
        tree
      }
      trial
      tag("section", .init("id", "text")) {
        tag("h2") { said("The text") }
        tag("p", .init("class", "small")) { place(written) }
        told(now)
        editor(visit, written, typed ?? written.text)
      }
    }
  }

  private static func place(_ written: LaneDesk.Written) -> String {
    guard let path = written.path, written.isFile else {
      let none = said("There is no file of lanes: this is what is built in.")
      return written.path.map { none + " " + said("Saving makes \($0).") } ?? none
    }
    return said(
      "\(path); the text before the last change lies beside it, with the ending “.old”.")
  }

  static func told(_ faults: [LaneDesk.Fault]) -> Node? {
    guard !faults.isEmpty else { return nil }
    return tag("div", .init("class", "notice alert"), .init("id", "faults")) {
      tag("p") {
        counted(
          faults.count, one: "\(faults.count) fault:", many: "\(faults.count) faults:")
      }
      tag("ul", .init("class", "plainlist")) {
        for fault in faults.prefix(50) {
          tag("li") { (fault.line.map { said("Line \($0)") + ": " } ?? "") + fault.sentence }
        }
      }
    }
  }

  private static func editor(
    _ visit: OfficeVisit, _ written: LaneDesk.Written, _ text: String
  ) -> Node {
    let lines = min(40, max(12, text.utf8.count { $0 == 0x0A } + 2))
    return OfficeView.form(
      OfficePaths.lanes.print(), ["do": "save", "mark": mark(of: written.text)], visit, "stack"
    ) {
      tag("label", .init("for", "office-text")) { said("Lanes, as YAML") }
      tag(
        "textarea", .init("id", "office-text"), .init("name", "text"), .init("rows", lines),
        .init("spellcheck", "false"), .init("autocapitalize", "none"), .init("class", "code"),
        .init("readonly", written.obstacle != nil)
      ) { "\n" + text }
      if let obstacle = written.obstacle {
        tag("p", .init("class", "notice"), .init("role", "note")) {
          said("It cannot be changed here: \(obstacle)")
          " "
          said("Change the file where the gateway runs; it is read again within ten seconds.")
        }
      } else {
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Check and save") }
      }
    }
  }

  private static func tree(_ visit: OfficeVisit) async throws(Problem) -> Node {
    let lanes = visit.office.lanes.shown()
    let all = lanes.flatMap(\.flattened).map(\.lane)
    let libraries = visit.lobby.stock.libraries
    let counts = try await visit.read { () throws(DatabaseError) in
      try await visit.office.catalog.counts(of: all, at: libraries)
    }
    let known = Dictionary(
      zip(all.map(\.id), counts), uniquingKeysWith: { first, _ in first })
    return branch(lanes, known, visit)
  }

  private static func branch(
    _ lanes: [Lane], _ counts: [String: Int], _ visit: OfficeVisit
  ) -> Node {
    tag("ul", .init("class", "tree")) {
      for lane in lanes {
        tag("li") {
          tag("a", .init("href", visit.caller.link(LobbyPaths.lane.print(lane.id)))) {
            said(known: lane.title)
          }
          " "
          tag("span", .init("class", "small")) { size(lane, counts[lane.id] ?? 0) }
          if !lane.lanes.isEmpty { branch(lane.lanes, counts, visit) }
        }
      }
    }
  }

  private static func size(_ lane: Lane, _ count: Int) -> String {
    if lane.isGroup {
      return counted(
        lane.lanes.count, one: "\(lane.lanes.count) lane", many: "\(lane.lanes.count) lanes")
    }
    if lane.isRecommending { return said("each reader’s own") }
    return count == 0
      ? said("no book now")
      : counted(
        count, one: "\(Numerals.grouped(count)) book", many: "\(Numerals.grouped(count)) books")
  }
}

/// What a rule would let through, before it stands anywhere.
enum LaneTrial {
  private static let example = "genre: mystery\navailable: now"

  static func make(_ visit: OfficeVisit) async throws(Problem) -> Node {
    let rule = visit.caller.query["rule"]?.replacing("\r\n", with: "\n")
    let answer = try await answer(rule, visit)
    return tag("section", .init("id", "trial")) {
      tag("h2") { said("Try a rule") }
      tag(
        "form", .init("method", "get"), .init("class", "stack"),
        .init("action", visit.caller.link(OfficePaths.lanes.print()) + "#trial")
      ) {
        tag("label", .init("for", "office-rule")) {
          said("What a lane would say, without its name")
        }
        tag(
          "textarea", .init("id", "office-rule"), .init("name", "rule"), .init("rows", 4),
          .init("spellcheck", "false"), .init("autocapitalize", "none"), .init("class", "code"),
          .init("maxlength", 4000)
        ) { "\n" + (rule ?? example) }
        tag("button", .init("class", "button second"), .init("type", "submit")) { said("Try it") }
      }
      answer
    }
  }

  private static func answer(_ rule: String?, _ visit: OfficeVisit) async throws(Problem) -> [Node]
  {
    guard let rule, rule.utf8.count <= 4000 else { return [] }
    let lines = rule.split(separator: "\n", omittingEmptySubsequences: false)
    let text =
      "lanes:\n  - name: trial\n" + lines.map { "    \($0)\n" }.joined()
    switch visit.office.lanes.read(text) {
    case .faults(let faults):
      // Two lines stand above what was typed.
      let moved = faults.map { LaneDesk.Fault(line: $0.line.map { max(1, $0 - 2) }, $0.sentence) }
      return [LanesOffice.told(moved)].compactMap(\.self)
    case .lanes(let lanes):
      guard let lane = lanes.first else { return [] }
      return try await books(of: lane, visit)
    }
  }

  @Children private static func found(_ page: LanePage, _ visit: OfficeVisit) -> [Node] {
    tag("p", .init("role", "status")) {
      page.total == 0
        ? said("No book meets this now.")
        : counted(
          page.total, one: "\(Numerals.grouped(page.total)) book meets this.",
          many: "\(Numerals.grouped(page.total)) books meet this.")
    }
    if !page.entries.isEmpty {
      tag("ul", .init("class", "plainlist")) {
        for entry in page.entries {
          tag("li") {
            tag("a", .init("href", visit.caller.link(LobbyPaths.work.print(entry.work.rawValue)))) {
              entry.face.title
            }
            " "
            tag("span", .init("class", "small")) { entry.face.authors.joined(separator: ", ") }
          }
        }
      }
    }
  }

  private static func books(of lane: Lane, _ visit: OfficeVisit) async throws(Problem) -> [Node] {
    guard !lane.isGroup else {
      return [OfficeView.empty(said("This is a shelf of lanes: it has no books of its own."))]
    }
    let query = LaneQuery(lane, libraries: visit.lobby.stock.libraries, limit: 5)
    let page = try await visit.read { () throws(DatabaseError) in
      try await visit.office.catalog.lane(query)
    }
    return found(page, visit)
  }
}
