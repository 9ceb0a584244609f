import BackOffice
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// The readers of this gateway, found by name or by the end of a card. Nobody's books are shown.
enum ReadersOffice {
  private static let most = 50

  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let words = String((visit.caller.query["q"] ?? "").prefix(200))
    let page = max(1, min(100_000, visit.caller.query["page"].flatMap { Int($0) } ?? 1))
    let found = try await visit.registered { () throws(RegistryError) in
      try await visit.office.registry.sights(
        of: words, from: (page - 1) * most, atMost: most + 1)
    }
    var table = OfficeTable(
      caption: said("Readers"),
      columns: [
        said("Reader"), said("Cards"), said("Devices"), said("Last seen"), said("Role"),
      ])
    for sight in found.prefix(most) {
      table.add(
        [
          tag(
            "a",
            .init("href", visit.caller.link(OfficePaths.reader.print(sight.patron.id.rawValue)))
          ) { sight.patron.name }
        ],
        [.text("\(sight.cards)")], [.text("\(sight.devices)")],
        [OfficeView.time(sight.lastSeen, visit.now)],
        sight.isOperator ? [.text(said("Looks after the gateway"))] : [])
    }
    return OfficeView.page(visit, "Readers") {
      tag(
        "form", .init("method", "get"), .init("class", "stack"), .init("role", "search"),
        .init("action", visit.caller.link(OfficePaths.readers.print()))
      ) {
        OfficeView.field(
          "q", said("Name, or the last four digits of a card"), words, isNeeded: false)
        tag("button", .init("class", "button second"), .init("type", "submit")) { said("Find") }
      }
      if found.isEmpty {
        OfficeView.empty(
          words.isEmpty ? said("Nobody reads here yet.") : said("Nobody is found by that."))
      } else {
        table.node
        turns(visit, words, page, hasMore: found.count > most)
      }
    }
  }

  private static func turns(
    _ visit: OfficeVisit, _ words: String, _ page: Int, hasMore: Bool
  ) -> Node? {
    guard page > 1 || hasMore else { return nil }
    func turn(_ page: Int, _ title: String) -> Node {
      tag(
        "a",
        .init(
          "href",
          visit.caller.link(OfficePaths.readers.print(), ["q": words, "page": "\(page)"]))
      ) { title }
    }
    return tag("nav", .init("class", "turns"), .init("aria-label", said("Pages"))) {
      if page > 1 { turn(page - 1, said("Previous")) }
      if hasMore { turn(page + 1, said("Next")) }
    }
  }
}

/// One reader: cards and devices, and the way to forget them.
enum ReaderOffice {
  static func make(_ visit: OfficeVisit, _ id: String) async throws(Problem) -> Page {
    let sight = try await sight(visit, id)
    let registry = visit.office.registry
    let cards = try await visit.registered { () throws(RegistryError) in
      try await registry.accounts(of: sight.patron.id)
    }
    let devices = try await visit.registered { () throws(RegistryError) in
      try await registry.devices(of: sight.patron.id)
    }
    return OfficeView.page(visit, "Readers", heading: sight.patron.name) {
      tag("p", .init("class", "lead")) {
        let (made, seen) = (
          OfficeView.time(sight.madeAt, visit.now),
          OfficeView.time(sight.lastSeen, visit.now, never: said("not yet"))
        )
        if sight.isOperator {
          marked("Began to read here \(made); last seen \(seen); looks after the gateway.")
        } else {
          marked("Began to read here \(made); last seen \(seen).")
        }
      }
      tag("section") {
        tag("h2") { said("Cards") }
        cards.isEmpty ? OfficeView.empty(said("No card is linked.")) : table(cards, visit)
      }
      tag("section") {
        tag("h2") { said("Devices") }
        devices.isEmpty ? OfficeView.empty(said("No app has a password.")) : table(devices, visit)
      }
      signingOut(sight, visit)
      purge(sight, visit)
    }
  }

  private static func sight(
    _ visit: OfficeVisit, _ id: String
  ) async throws(Problem) -> PatronSight {
    let found = try await visit.registered { () throws(RegistryError) in
      id.utf8.contains(0) ? nil : try await visit.office.registry.sight(of: PatronID(id))
    }
    guard let found else {
      throw Problem(.notFound, code: "unknown_reader", detail: said("Nobody like that reads here."))
    }
    return found
  }

  private static func table(_ cards: [Account], _ visit: OfficeVisit) -> Node {
    var table = OfficeTable(
      caption: said("Cards"),
      columns: [
        said("Card"), said("Library"), said("Ends with"), said("State"), said("Shelf read"),
      ])
    for card in cards {
      table.add(
        [.text(card.name)], [.text(visit.lobby.stock.nameOfLibrary(card.library))],
        [.text(card.cardEnding ?? "—")],
        [
          tag("span", .init("class", card.status == .linked ? "state now" : "state soon")) {
            card.status.words
          }
        ], [OfficeView.time(card.lastGoodSync, visit.now)])
    }
    return table.node
  }

  private static func table(_ devices: [Device], _ visit: OfficeVisit) -> Node {
    var table = OfficeTable(
      caption: said("Devices"),
      columns: [said("Device"), said("May", "is allowed"), said("Made"), said("Last came")])
    for device in devices {
      table.add(
        [.text(device.name)], [.text(device.scopes.words.joined(separator: ", "))],
        [OfficeView.time(device.madeAt, visit.now)], [OfficeView.time(device.lastUsed, visit.now)])
    }
    return table.node
  }

  // MARK: - Forgetting

  private static func purge(_ sight: PatronSight, _ visit: OfficeVisit) -> Node {
    let isSelf = sight.patron.id == visit.reader.patron
    return tag("section") {
      tag("h2") { said("Forget this reader") }
      if isSelf {
        tag("p") {
          marked(
            "Nobody forgets themselves here: another operator can, or \(tag("code") { "carrel admin purge" })."
          )
        }
      } else {
        tag("details", .init("class", "danger"), .init("id", "forget")) {
          tag("summary") { said("Forget \(sight.patron.name) and all that is kept of them") }
          tag("p") {
            said(
              """
              Cards with their secrets, devices, sign-ins, books, downloads, lists, notes, places in \
              books, notices and wishes go in one step and cannot be brought back. Loans and holds \
              go on at the libraries.
              """)
          }
          OfficeView.form(
            OfficePaths.reader.print(sight.patron.id.rawValue), ["do": "purge"], visit, "stack"
          ) {
            OfficeView.field("confirm", said("Type the name “\(sight.patron.name)” to go on"))
            tag("button", .init("class", "button"), .init("type", "submit")) { said("Forget them") }
          }
        }
      }
    }
  }

  static func change(
    _ visit: OfficeVisit, _ id: String, _ form: FormFields
  ) async throws(Problem) -> OfficeEnd {
    let sight = try await sight(visit, id)
    if form["do"] == "everywhere" { return try await signOut(sight, visit, form) }
    guard form["do"] == "purge", sight.patron.id != visit.reader.patron else {
      throw Problem(.badRequest, code: "bad_value", detail: said("This form is not complete."))
    }
    guard form["confirm"] == sight.patron.name else {
      var page = try await make(visit, id)
      page.notice = .alert(said("Nobody was forgotten: the name that was typed is another one."))
      return .refused(page, .unprocessableContent)
    }
    let purged: Purged?
    do {
      purged = try await visit.office.purge(
        sight.patron.id, visit.reader.patron.rawValue, visit.request)
    } catch {
      throw Refusals.unread(said("Nothing was removed: the database cannot be written."))
    }
    guard let purged else {
      throw Problem(.notFound, code: "unknown_reader", detail: said("Nobody like that reads here."))
    }
    visit.lobby.watch.forget()
    return .told(report(purged, visit))
  }

  private static func report(_ purged: Purged, _ visit: OfficeVisit) -> Page {
    var table = OfficeTable(
      caption: said("What was removed"), columns: [said("What"), said("Rows")])
    for part in purged.parts {
      table.add(
        [.text(part.what.prefix(1).uppercased() + part.what.dropFirst())], [.text("\(part.rows)")])
    }
    var page = OfficeView.page(visit, "Readers", heading: said("\(purged.name) is forgotten")) {
      tag("p", .init("class", "lead")) {
        counted(
          purged.rows, one: "\(purged.rows) row is gone.", many: "\(purged.rows) rows are gone.")
        " "
        said("The audit keeps what was done, by numbers that lead to nobody any more.")
      }
      table.node
      if purged.loansLeft > 0 {
        tag("p") {
          counted(
            purged.loansLeft,
            one:
              "\(purged.loansLeft) loan goes on at the library: it can be given back there only.",
            many:
              "\(purged.loansLeft) loans go on at the libraries: they can be given back there only."
          )
        }
      }
    }
    page.notice = .done(said("Nothing of them is left in the database."))
    return page
  }
}

extension Account.Status {
  var words: String {
    switch self {
    case .linked: said("Good")
    case .rejected: said("Card or PIN was refused")
    case .expired: said("Expired")
    case .blocked: said("Blocked by the library")
    }
  }
}
