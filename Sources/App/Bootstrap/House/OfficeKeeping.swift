import BackOffice
import Circulation
import FrontDesk
import Phrasebook
import ProviderKit
import Registry
import Schedule
import Setup

extension House {
  /// What the pages of operators are made of.
  var backOffice: BackOffice {
    let counter = counter
    return BackOffice(
      registry: registry, catalog: catalog, desk: desk, lists: lists, mirrors: mirrors,
      schedule: schedule,
      libraries: counter.libraries.map { settings in
        let listing = allProviders.first { $0.id.rawValue == settings.provider.value }
        return BackOffice.Library(
          id: LibraryID(settings.id), name: counter.name(of: LibraryID(settings.id)),
          provider: listing?.title ?? settings.provider.value,
          isHarvested: listing?.capabilities.contains(.harvest) ?? false)
      },
      kinds: DueWork.all.map { BackOffice.WorkKind($0.kind) }, lanes: laneDesk,
      service: { counter.standing(of: $0).map(BackOffice.Service.init) },
      purge: { [self] patron, who, request in
        try await purge(patron, by: who, request: request)
      })
  }
}

extension BackOffice.WorkKind {
  fileprivate init(_ kind: JobKind) {
    switch kind {
    case .roster: self.init(kind, phrase("Seeing what is to be done"), .house)
    case .settling: self.init(kind, phrase("Settling open commands"), .house)
    case .syncing: self.init(kind, phrase("Reading shelves"), .reader)
    case .harvesting: self.init(kind, phrase("Reading catalogues"), .library)
    case .catalogs: self.init(kind, phrase("Reading catalogs of patrons"), .reader)
    case .lists: self.init(kind, phrase("Reading lists at other services"), .reader)
    case .pacing: self.init(kind, phrase("Pacing holds"), .reader)
    case .expiring: self.init(kind, phrase("Ending what ran out"), .house)
    case .sweeping: self.init(kind, phrase("Sweeping files"), .house)
    case .watching: self.init(kind, phrase("Watching for news"), .house)
    case .wishes: self.init(kind, phrase("Looking for wishes"), .house)
    case .notices: self.init(kind, phrase("Sending notices"), .house)
    case .revocations: self.init(kind, phrase("Fetching revoked certificates"), .house)
    case .signIns: self.init(kind, phrase("Seeing which cards sign in"), .house)
    default: self.init(kind, kind.rawValue, .house)
    }
  }
}

extension BackOffice.Service {
  fileprivate init(_ standing: SessionStanding) {
    let circuit: Circuit =
      switch standing.circuit {
      case .closed(let failures): .closed(failures: failures)
      case .open(let wait): .open(retryAfter: wait)
      case .probing: .probing
      }
    self.init(
      circuit: circuit, running: standing.running, waiting: standing.waiting,
      answeredAt: standing.heard.answeredAt, failedAt: standing.heard.failedAt,
      typical: standing.heard.typical)
  }
}
