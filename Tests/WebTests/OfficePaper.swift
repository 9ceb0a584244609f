import Adobe
import BackOffice
import Catalog
import Circulation
import Database
import Desk
import FoundationEssentials
import FrontDesk
import Membership
import Mirrors
import Notices
import Profiles
import Reading
import ReadingLists
import Registry
import Schedule
import Shelving
import Synchronization
import Wishes

@testable import Web

/// What stands behind the office of a `LobbyRoom`: real services, and a file of lanes made of paper,
/// in which each line is the name of a lane and one that says `bad` is a fault.
enum OfficePaper {
  static let tables = [
    Schedule.migrations, Mirrors.migrations, Notices.migrations,
    Wishes.migrations, Tastes.migrations, Profiles.migrations, AdobeDesk.migrations,
    PageVisits.migrations,
  ]

  static let sync: JobKind = "sync"
  static let harvest: JobKind = "harvest"

  static func office(
    _ store: Store, _ registry: Registry, _ catalog: Catalog, _ desk: Desk, lists: ReadingLists,
    _ rack: LaneRack, now: @escaping @Sendable () -> Int64
  ) -> BackOffice {
    let file = PaperFile()
    let purge = Purge(store: store, now: now)
    return BackOffice(
      registry: registry, catalog: catalog, desk: desk, lists: lists,
      mirrors: Mirrors(store: store, now: now), schedule: Schedule(store: store, now: now),
      libraries: [
        BackOffice.Library(
          id: LobbyRoom.town, name: "Town <Library>", provider: "Paper", isHarvested: true)
      ],
      kinds: [
        .init(sync, "Reading shelves", .reader), .init(harvest, "Reading catalogues", .library),
      ],
      lanes: LaneDesk(
        shown: { rack.lanes },
        written: { () throws(LaneDesk.Failure) in
          .init(
            text: file.text, path: "/paper/lanes.yaml", isFile: true, obstacle: file.obstacle)
        },
        read: { file.read($0) },
        save: { text throws(LaneDesk.Failure) in
          guard case .lanes(let lanes) = file.read(text) else { throw .init("It has faults.") }
          file.text = text
          rack.exchange(for: lanes)
          return nil
        }),
      service: { _ in
        BackOffice.Service(
          circuit: .open(retryAfter: .seconds(40)), running: 1, waiting: 3,
          answeredAt: LobbyRoom.day.addingTimeInterval(-7200), failedAt: LobbyRoom.day,
          typical: .milliseconds(420))
      },
      purge: { patron, who, request in
        try await purge.purge(patron, by: who, request: request)
      })
  }
}

final class PaperFile: Sendable {
  private let kept = Mutex(Kept())

  private struct Kept {
    var text = "first"
    var obstacle: String?
  }

  var text: String {
    get { kept.withLock { $0.text } }
    set { kept.withLock { $0.text = newValue } }
  }

  var obstacle: String? { kept.withLock { $0.obstacle } }

  func read(_ text: String) -> LaneDesk.Reading {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let faults = lines.enumerated().compactMap { place, line in
      line.contains("bad") ? LaneDesk.Fault(line: place + 1, "'\(line)' is no lane") : nil
    }
    guard faults.isEmpty else { return .faults(faults) }
    return .lanes(
      lines.filter { !$0.isEmpty }.map {
        Lane(id: String($0), title: String($0), .rule(LaneRule()))
      }
    )
  }
}
