import BackOffice
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// How the service behind each library does, and how old what we know of it is.
enum ServicesOffice {
  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let office = visit.office
    let accounts = try await visit.registered { () throws(RegistryError) in
      try await office.registry.accounts()
    }
    let heard = try await heard(of: accounts, visit)
    let cards = Dictionary(grouping: accounts, by: \.library)
    var table = OfficeTable(
      caption: said("Services"),
      columns: [
        said("Library"), said("State"), said("Last answer"), said("Last failure"),
        said("Shelves"), said("Takes", "how long"), said("In line"),
      ])
    for library in LibrariesOffice.all(office, cards.mapValues(\.count)) {
      let service = office.service(library.id)
      let known = (cards[library.id] ?? []).compactMap { heard[$0.id] }
      let answer = ([service?.answeredAt] + known.map(\.goodAt)).compactMap(\.self).max()
      let failure =
        ([service?.failedAt] + known.filter { $0.trouble != nil }.map { $0.triedAt })
        .compactMap(\.self).max()
      table.add(
        [.text(library.name)], state(service, known),
        [OfficeView.time(answer?.milliseconds, visit.now, never: said("none known"))],
        [OfficeView.time(failure?.milliseconds, visit.now, never: said("none known"))],
        shelves(known, library), [.text(service?.typical.map(Self.takes) ?? "—")],
        [.text(service.map { said("\($0.waiting) wait, \($0.running) on their way") } ?? "—")])
    }
    return OfficeView.page(visit, "Services") {
      tag("p", .init("class", "lead")) {
        said(
          """
          Answers and failures as this gateway met them since it was started, and as the shelves of \
          all readers were last told. A service that fails five times in a row is left alone for a \
          while; then one request tries.
          """)
      }
      if table.rows.isEmpty {
        OfficeView.empty(said("No library is in the settings."))
      } else {
        table.node
      }
    }
  }

  /// Some hundred at a time: a gateway may have many readers.
  private static func heard(
    of accounts: [Account], _ visit: OfficeVisit
  ) async throws(Problem) -> [AccountID: Freshness] {
    var heard: [AccountID: Freshness] = [:]
    for start in stride(from: 0, to: accounts.count, by: 500) {
      let part = accounts[start..<min(start + 500, accounts.count)].map(\.id)
      let found = try await visit.desked { () throws(DeskError) in
        try await visit.office.desk.freshness(of: part)
      }
      for one in found { heard[one.account] = one }
    }
    return heard
  }

  private static func state(_ service: BackOffice.Service?, _ known: [Freshness]) -> [Node] {
    let (words, tone): (String, String) =
      switch service?.circuit {
      case .open(let wait):
        (
          said("Left alone; tried again \(OfficeView.ahead(Int64(wait / .milliseconds(1))))"),
          "soon"
        )
      case .probing: (said("Being tried"), "soon")
      case .closed(let failures) where failures > 0:
        (
          counted(
            failures, one: "Fails: \(failures) time in a row",
            many: "Fails: \(failures) times in a row"), "soon"
        )
      case .closed: (said("Answers"), "now")
      case nil where known.contains { $0.trouble != nil }: (said("Failed when asked last"), "soon")
      case nil where !known.isEmpty: (said("Answered when asked last"), "now")
      case nil: (said("Not asked yet"), "later")
      }
    return [tag("span", .init("class", "state \(tone)")) { words }]
  }

  private static func shelves(_ known: [Freshness], _ library: BackOffice.Library) -> [Node] {
    guard !known.isEmpty else { return [.text(said("No card is linked"))] }
    let troubles = Dictionary(grouping: known.compactMap(\.trouble), by: \.self)
    guard let worst = troubles.max(by: { $0.value.count < $1.value.count }) else {
      return [
        .text(
          counted(
            known.count, one: "\(known.count) shelf, all well",
            many: "\(known.count) shelves, all well"))
      ]
    }
    let problem = Refusals.problem(code: worst.key, at: library.name)
    let count = troubles.values.reduce(0) { $0 + $1.count }
    return [.text(said("\(count) of \(known.count) failed. \(problem.detail ?? worst.key)"))]
  }

  private static func takes(_ span: Duration) -> String {
    let tenths = Int((span / .milliseconds(100)).rounded())
    return tenths < 1
      ? said("under \("0\(Numerals.point)1") s")
      : "\(tenths / 10)\(Numerals.point)\(tenths % 10) s"
  }
}
