import Catalog
import Circulation
import Database
import Downloads
package import Items
import Machine
import Registry
import Safekeeping
package import Setup

extension LinkedEngine {
  package func export(_ order: ExportOrder, at seat: Seat) async throws(ErrorItem) -> ExportItem {
    try await inHouse(seat) { house throws(ErrorItem) in
      let patrons = try await house.leavers(order.reader)
      let ids = patrons.map(\.id)
      let (files, whole) = (house.storeroom.files, order.reader == nil)
      let takeout = Takeout.Order(
        readers: patrons.map(\.name), madeAt: house.time.now().rfc3339(),
        rows: { snapshot throws(DatabaseError) in
          try House.rows(of: ids, wholeCatalogue: whole, snapshot)
        },
        books: { snapshot throws(DatabaseError) in
          try DownloadQueue.files(of: ids, snapshot).enumerated().map { place, book in
            Takeout.Book(
              name: "\(place + 1) \(book.fileName.text)",
              file: KeptFile(digest: book.digest, path: files.path(of: book)))
          }
        })
      let tally = try await keeping { () throws(BackupError) in
        try await House.takeout.write(takeout, from: house.store, to: try order.place)
      }
      return ExportItem(
        place: order.folder ?? "-", readers: patrons.map(\.name),
        kinds: tally.kinds.map { .init(name: $0.name, count: $0.lines) }, books: tally.books,
        unchanged: nil)
    }
  }

  package func takeIn(_ path: String, at seat: Seat) async throws(ErrorItem) -> ExportItem {
    let folder = try DataFolder(of: seat)
    return try await inHouse(seat) { house throws(ErrorItem) in
      let intake = TakingIn(House.takeout, catalogue: House.takenCatalogue)
      let tally = try await keeping(of: path) { () throws(BackupError) in
        try await intake.take(
          path, into: house.store, by: house.passage,
          books: { BookStore.path(of: $0, in: folder.books) },
          settle: { tx throws(DatabaseError) in try Catalog.settleTaken(tx) })
      }
      _ = try await toldOfDatabase { () throws(DatabaseError) in try await house.catalog.catchUp() }
      let kinds = House.takeout.parts.map(\.kind)
      return ExportItem(
        place: path, readers: [],
        kinds: kinds.enumerated().filter { kinds.firstIndex(of: $0.element) == $0.offset }.map {
          .init(name: $0.element, count: tally.added[$0.element] ?? 0)
        }, books: tally.books, unchanged: tally.unchanged)
    }
  }
}

extension House {
  /// One reader, or all.
  fileprivate func leavers(_ name: String?) async throws(ErrorItem) -> [Patron] {
    let known = try await told { () throws(RegistryError) in try await registry.patrons() }
    guard let name else { return known }
    guard let one = known.first(where: { $0.name == name }) else {
      throw ErrorItem("unknown_reader", detail: name)
    }
    return [one]
  }
}

extension ExportOrder {
  fileprivate var place: TakeoutPlace {
    get throws(BackupError) {
      if let folder { return try TakeoutPlace(folder: folder) }
      let send = send
      return TakeoutPlace { bytes throws(MachineError) in try send(bytes) }
    }
  }
}
