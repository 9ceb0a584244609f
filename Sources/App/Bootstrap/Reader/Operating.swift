import Arguments
import BackOffice
import Circulation
import Database
import Downloads
import FoundationEssentials
package import Items
import Machine
import Registry
package import Setup

extension LinkedEngine {
  package func operators(at seat: Seat) async throws(ErrorItem) -> [OperatorItem] {
    try await inHouse(seat) { house throws(ErrorItem) in
      try await told { () throws(RegistryError) in try await house.registry.operators() }
        .map { OperatorItem($0) }
    }
  }

  package func setOperator(_ reader: String, to isOperator: Bool, at seat: Seat)
    async throws(ErrorItem) -> OperatorItem
  {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await house.reader(named: reader)
      let (registry, request) = (house.registry, House.requestID())
      let before = try await told { () throws(RegistryError) in try await registry.operators() }
        .first { $0.patron == patron }
      let changed = try await told { () throws(RegistryError) in
        isOperator
          ? try await registry.makeOperator(patron.id, by: House.commandLine, request: request)
          : try await registry.endOperator(patron.id, by: House.commandLine, request: request)
      }
      let since = before?.since ?? house.time.now().millisecondsSinceEpoch
      return OperatorItem(
        reader: patron.name, since: Date(milliseconds: since).rfc3339, changed: changed)
    }
  }

  package func purge(_ reader: String, at seat: Seat) async throws(ErrorItem) -> PurgeItem {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patron = try await house.reader(named: reader)
      let purged = try await toldOfDatabase { () throws(DatabaseError) in
        try await house.purge(patron.id, by: House.commandLine, request: House.requestID())
      }
      guard let purged else { throw ErrorItem("unknown_reader", detail: reader) }
      return PurgeItem(
        reader: purged.name, accounts: purged.accounts, loansLeft: purged.loansLeft,
        removed: purged.parts.map { PurgeItem.Part(what: $0.what, rows: $0.rows) })
    }
  }
}

extension House {
  /// Whoever may run the program on this machine; for the audit.
  static let commandLine = "command line"

  func reader(named name: String) async throws(ErrorItem) -> Patron {
    let known = try await told { () throws(RegistryError) in try await registry.patrons() }
    if let patron = known.first(where: { $0.name == name }) { return patron }
    var error = ErrorItem("unknown_reader", detail: name)
    error.choices = nearest(to: name, among: known.map(\.name))
    throw error
  }

  /// Forgets a reader, and then the files that nobody holds any more. Nil where there is none.
  func purge(
    _ patron: PatronID, by who: String, request: String
  ) async throws(DatabaseError) -> Purged? {
    let now = time
    let purge = Purge(store: store) { now.now().millisecondsSinceEpoch }
    guard let purged = try await purge.purge(patron, by: who, request: request) else { return nil }
    // What cannot be swept now is swept when that falls due.
    _ = try? await storeroom.files.sweep(storeroom.queue)
    return purged
  }
}

extension OperatorItem {
  fileprivate init(_ one: Operator) {
    self.init(reader: one.patron.name, since: Date(milliseconds: one.since).rfc3339)
  }
}
