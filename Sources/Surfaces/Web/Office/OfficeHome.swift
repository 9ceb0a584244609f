import BackOffice
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import ReadingLists
import Registry
import Schedule

/// What stands well and what wants to be looked at, in one glance.
enum OfficeHome {
  static func make(_ visit: OfficeVisit) async throws(Problem) -> Page {
    let office = visit.office
    let jobs = try await visit.read { () throws(DatabaseError) in
      try await office.schedule.records(of: office.kinds.map(\.kind))
    }
    let failing = jobs.count { $0.failures > 0 }
    let silent = visit.caller.silent
    let lists = try await ListsOffice.all(visit)
    let written = try? office.lanes.written()
    let faults = written.map { office.lanes.read($0.text).faults.count } ?? 0
    let lanes = office.lanes.shown().flatMap(\.flattened).count
    return OfficeView.page(visit, "Overview") {
      tag("ul", .init("class", "rooms")) {
        room(
          visit, OfficePaths.libraries, said("Libraries"),
          counted(
            office.libraries.count, one: "\(office.libraries.count) library",
            many: "\(office.libraries.count) libraries"),
          silent.isEmpty ? nil : said("\(silent.count) not heard from lately"))
        room(
          visit, OfficePaths.services, said("Services"), said("How each library’s service does"),
          trouble(office))
        room(
          visit, OfficePaths.jobs, said("Jobs"),
          counted(
            jobs.count, one: "\(jobs.count) job on the schedule",
            many: "\(jobs.count) jobs on the schedule"),
          failing == 0
            ? nil : counted(failing, one: "\(failing) job fails", many: "\(failing) jobs fail"))
        room(
          visit, OfficePaths.lanes, said("Lanes"),
          counted(lanes, one: "\(lanes) lane is shown", many: "\(lanes) lanes are shown"),
          faults == 0
            ? nil
            : counted(
              faults, one: "\(faults) fault in the file", many: "\(faults) faults in the file"))
        room(
          visit, OfficePaths.lists, said("Lists"),
          counted(
            lists.count, one: "\(lists.count) list of a librarian",
            many: "\(lists.count) lists of librarians"), nil)
        room(
          visit, OfficePaths.readers, said("Readers"),
          said("Cards, devices, and forgetting a reader"), nil)
        room(
          visit, OfficePaths.log, said("Log"), said("What was changed here, and by whom"), nil)
      }
    }
  }

  private static func trouble(_ office: BackOffice) -> String? {
    let open = office.libraries.count { library in
      if case .open = office.service(library.id)?.circuit { true } else { false }
    }
    return open == 0
      ? nil
      : counted(
        open, one: "\(open) service is left alone", many: "\(open) services are left alone")
  }

  private static func room(
    _ visit: OfficeVisit, _ path: RoutePath<Void>, _ title: String, _ words: String,
    _ trouble: String?
  ) -> Node {
    tag("li") {
      tag("a", .init("href", visit.caller.link(path.print()))) {
        tag("span", .init("class", "title")) { title }
        tag("span", .init("class", "small")) { words }
        if let trouble { tag("span", .init("class", "state soon")) { trouble } }
      }
    }
  }
}

extension LaneDesk.Reading {
  var faults: [LaneDesk.Fault] { if case .faults(let faults) = self { faults } else { [] } }
}
