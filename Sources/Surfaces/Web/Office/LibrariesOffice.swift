import BackOffice
import Catalog
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Schedule

/// Each library: who has a card there, what is known of its books, and when it is read again.
enum LibrariesOffice {
  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let office = visit.office
    let accounts = try await visit.registered { () throws(RegistryError) in
      try await office.registry.accounts()
    }
    let cards = Dictionary(grouping: accounts, by: \.library).mapValues(\.count)
    let harvest = office.kinds.first { $0.subject == .library }?.kind
    let jobs = try await visit.read { () throws(DatabaseError) in
      try await office.schedule.records(of: [harvest].compactMap(\.self))
    }
    var table = OfficeTable(
      caption: said("Libraries"),
      columns: [
        said("Library"), said("Provider"), said("Cards linked"), said("Editions"),
        said("Catalogue read"), said("Next", "time"), said("Now", "state"), "",
      ])
    for library in all(office, cards) {
      let tally = try await visit.read { () throws(DatabaseError) in
        try await office.catalog.tally(of: library.id)
      }
      let job = jobs.first { $0.subject == library.id.rawValue }
      let isKnown = (cards[library.id] ?? 0) > 0 || office.service(library.id) != nil
      let (words, tone) =
        visit.caller.silent.contains(library.id)
        ? (said("Does not answer"), "soon")
        : isKnown ? (said("Answers"), "now") : (said("Not asked yet"), "later")
      table.add(
        [.text(library.name)], [.text(library.provider)],
        [.text(Numerals.grouped(cards[library.id] ?? 0))], editions(tally),
        read(tally, library, visit), next(job, visit),
        [tag("span", .init("class", "state \(tone)")) { words }], run(job, library, visit))
    }
    return OfficeView.page(visit, "Libraries") {
      if table.rows.isEmpty {
        OfficeView.empty(said("No library is in the settings. Add one under “libraries” there."))
      } else {
        table.node
      }
    }
  }

  /// Those of the settings, and those that readers gave the address of.
  static func all(_ office: BackOffice, _ cards: [LibraryID: Int]) -> [BackOffice.Library] {
    let known = Set(office.libraries.map(\.id))
    return office.libraries
      + cards.keys.filter { !known.contains($0) }.sorted().map { id in
        BackOffice.Library(
          id: id, name: id.rawValue, provider: said("Given by a reader"), isHarvested: true)
      }
  }

  private static func editions(_ tally: CatalogTally) -> [Node] {
    let editions = Numerals.grouped(tally.editions)
    return [
      .text(
        tally.missing == 0
          ? editions : said("\(editions), \(Numerals.grouped(tally.missing)) missing lately"))
    ]
  }

  private static func read(
    _ tally: CatalogTally, _ library: BackOffice.Library, _ visit: OfficeVisit
  ) -> [Node] {
    guard library.isHarvested else { return [.text(said("Asked book by book"))] }
    let last = OfficeView.time(tally.ended, visit.now)
    return tally.isUnderWay ? marked("Being read; before that \(last)") : [last]
  }

  private static func next(_ job: JobRecord?, _ visit: OfficeVisit) -> [Node] {
    guard let job else { return [] }
    if job.owner != nil { return [.text(said("Under way"))] }
    return [OfficeView.time(job.dueAt, visit.now)]
  }

  private static func run(
    _ job: JobRecord?, _ library: BackOffice.Library, _ visit: OfficeVisit
  ) -> [Node] {
    guard let job, job.owner == nil, job.dueAt > visit.now else { return [] }
    return [
      JobsOffice.runNow(job, visit, unseen: ": " + said("read the catalogue of \(library.name)"))
    ]
  }
}
