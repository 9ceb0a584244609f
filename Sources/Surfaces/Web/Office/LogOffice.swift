import BackOffice
import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry

/// What was changed here, by whom.
enum LogOffice {
  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let deeds = try await visit.registered { () throws(RegistryError) in
      try await visit.office.registry.officeDeeds(atMost: 200)
        .map { Line(at: $0.at, deed: $0.deed) }
    }
    let months = try await visit.registered { () throws(RegistryError) in
      try await visit.office.registry.auditMonths()
    }
    let patrons = try await visit.registered { () throws(RegistryError) in
      try await visit.office.registry.patrons()
    }
    let names = Dictionary(
      patrons.map { ($0.id.rawValue, $0.name) }, uniquingKeysWith: { first, _ in first })
    var table = OfficeTable(
      caption: said("What was changed"),
      columns: [said("When"), said("Who"), said("What"), said("Which")])
    for line in deeds {
      let deed = line.deed
      table.add(
        [OfficeView.time(line.at, visit.now)], [.text(names[deed.who] ?? deed.who)],
        [.text(Self.words(deed))], [.text(names[deed.subject] ?? Self.subject(deed))])
    }
    return OfficeView.page(visit, "Log") {
      if deeds.isEmpty {
        OfficeView.empty(said("Nothing was changed here yet."))
      } else {
        table.node
        tag("p", .init("class", "small")) {
          if let months {
            counted(
              months, one: "The last 200 changes at most; the audit log keeps them for one month.",
              many: "The last 200 changes at most; the audit log keeps them for \(months) months.")
          } else {
            said("The last 200 changes at most; the audit log keeps all.")
          }
        }
      }
    }
  }

  private struct Line: Sendable {
    let at: Int64
    let deed: OfficeDeed
  }

  private static func subject(_ deed: OfficeDeed) -> String {
    switch (deed.kind, deed.action) {
    case ("audit", .delete): said("before \(deed.subject)")
    case ("audit", _):
      if let months = Int(deed.subject) {
        counted(months, one: "one month", many: "\(months) months")
      } else {
        said("all months")
      }
    default: deed.subject
    }
  }

  private static func words(_ deed: OfficeDeed) -> String {
    switch (deed.kind, deed.action) {
    case ("operator", .write): said("Made an operator")
    case ("operator", .delete): said("Ended the role of an operator")
    case ("codes", .write): said("Set up codes at sign-in for a reader")
    case ("codes", .delete): said("Ended a reader’s codes at sign-in")
    case ("sign-in-link", .write): said("Created a sign-in link for a patron")
    case ("reader", .delete): said("Forgot a reader")
    case ("job", _): said("Ran a job at once")
    case ("lanes", _): said("Wrote the lanes")
    case ("list", .delete): said("Dropped a list")
    case ("list", _): said("Changed a list")
    case ("audit", .delete): said("Deleted old months of the audit log")
    case ("audit", _): said("Set how long the audit log is kept")
    default: "\(deed.kind): \(deed.action.rawValue)"
    }
  }
}
