import BackOffice
import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
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
    return OfficeView.page(visit, "Overview") {
      tag("ul", .init("class", "rooms")) {
        room(
          visit, OfficePaths.libraries, "Libraries",
          OfficeWords.count(office.libraries.count, "library", "libraries"),
          silent.isEmpty ? nil : "\(silent.count) not heard from lately")
        room(
          visit, OfficePaths.services, "Services", "How each library’s service does",
          trouble(office))
        room(
          visit, OfficePaths.jobs, "Jobs",
          OfficeWords.count(jobs.count, "job on the schedule", "jobs on the schedule"),
          failing == 0 ? nil : OfficeWords.count(failing, "job fails", "jobs fail"))
        room(
          visit, OfficePaths.lanes, "Lanes",
          OfficeWords.count(
            office.lanes.shown().flatMap(\.flattened).count, "lane is shown", "lanes are shown"),
          faults == 0 ? nil : OfficeWords.count(faults, "fault in the file", "faults in the file"))
        room(
          visit, OfficePaths.lists, "Lists",
          OfficeWords.count(lists.count, "list of a librarian", "lists of librarians"), nil)
        room(visit, OfficePaths.readers, "Readers", "Cards, devices, and forgetting a reader", nil)
        room(visit, OfficePaths.log, "Log", "What was changed here, and by whom", nil)
      }
    }
  }

  private static func trouble(_ office: BackOffice) -> String? {
    let open = office.libraries.count { library in
      if case .open = office.service(library.id)?.circuit { true } else { false }
    }
    return open == 0
      ? nil : OfficeWords.count(open, "service is left alone", "services are left alone")
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
