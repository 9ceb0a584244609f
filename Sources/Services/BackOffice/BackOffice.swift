package import Catalog
package import Circulation
package import Desk
package import FoundationEssentials
package import Mirrors
package import ReadingLists
package import Registry
package import Schedule
package import Shelving

/// What stands behind the pages of whoever looks after the gateway. The house gives it.
package struct BackOffice: Sendable {
  package let registry: Registry
  package let catalog: Catalog
  package let desk: Desk
  package let lists: ReadingLists
  package let mirrors: Mirrors
  package let schedule: Schedule
  /// As they are configured, with those that are there for everybody.
  package let libraries: [Library]
  package let kinds: [WorkKind]
  package let lanes: LaneDesk
  /// What this gateway heard of a library's service; nil where nothing was asked of it yet.
  package let service: @Sendable (LibraryID) -> Service?
  /// Forgets a reader; nil where there is none.
  package let purge: @Sendable (PatronID, _ by: String, _ request: String) async throws -> Purged?

  package init(
    registry: Registry, catalog: Catalog, desk: Desk, lists: ReadingLists, mirrors: Mirrors,
    schedule: Schedule,
    libraries: [Library], kinds: [WorkKind], lanes: LaneDesk,
    service: @escaping @Sendable (LibraryID) -> Service?,
    purge: @escaping @Sendable (PatronID, _ by: String, _ request: String) async throws -> Purged?
  ) {
    (self.registry, self.catalog, self.desk) = (registry, catalog, desk)
    (self.lists, self.mirrors, self.schedule) = (lists, mirrors, schedule)
    self.libraries = libraries
    (self.kinds, self.lanes, self.service, self.purge) = (kinds, lanes, service, purge)
  }

  /// A library as the settings have it.
  package struct Library: Sendable, Hashable {
    package let id: LibraryID
    package let name: String
    package let provider: String
    /// Whether its catalogue is read from time to time.
    package let isHarvested: Bool

    package init(id: LibraryID, name: String, provider: String, isHarvested: Bool) {
      (self.id, self.name, self.provider) = (id, name, provider)
      self.isHarvested = isHarvested
    }
  }

  /// A kind of work that falls due, and what it is called.
  package struct WorkKind: Sendable, Hashable {
    package let kind: JobKind
    package let title: String
    package let subject: Subject

    package enum Subject: Sendable, Hashable { case house, reader, library }

    package init(_ kind: JobKind, _ title: String, _ subject: Subject) {
      (self.kind, self.title, self.subject) = (kind, title, subject)
    }
  }

  /// How a service does, in this gateway's own experience since it was started.
  package struct Service: Sendable, Hashable {
    package enum Circuit: Sendable, Hashable {
      case closed(failures: Int)
      case open(retryAfter: Duration)
      case probing
    }

    package let circuit: Circuit
    package let running: Int
    package let waiting: Int
    package let answeredAt: Date?
    package let failedAt: Date?
    package let typical: Duration?

    package init(
      circuit: Circuit, running: Int, waiting: Int, answeredAt: Date?, failedAt: Date?,
      typical: Duration?
    ) {
      (self.circuit, self.running, self.waiting) = (circuit, running, waiting)
      (self.answeredAt, self.failedAt, self.typical) = (answeredAt, failedAt, typical)
    }
  }
}
