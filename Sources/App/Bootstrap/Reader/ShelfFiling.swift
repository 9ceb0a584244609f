import Circulation
package import Items
import ReadingLists
import Registry
package import Setup
import ShelfFiles

extension LinkedEngine {
  package func take(
    _ order: ShelfFileOrder, at seat: Seat, progress: @escaping @Sendable (String) -> Void
  ) async throws(ErrorItem) -> ShelfIntakeItem {
    progress("reading the file")
    let (file, reading) = try Self.read(order)
    return try await visit(seat) { visit throws(ErrorItem) in
      var item = ShelfIntakeItem(
        list: order.list, format: file.format.rawValue, encoding: file.encoding.rawValue)
      var rejected = reading.faults.map { ($0.place, $0.meaning.reason) }
      item.rows = reading.rows
      item.passed = reading.passed.map { .init(line: $0.line, reason: $0.meaning.reason) }
      var books: [ShelfReading.Book] = []
      for book in reading.books {
        if let shelf = order.shelf, !book.kept.stands(on: shelf) {
          item.passed += book.lines.map { .init(line: $0, reason: "it is on another shelf") }
        } else {
          books.append(book)
          item.joined += book.lines.count - 1
        }
      }
      progress("putting \(books.count) books on \(order.list)")
      let tally = try await visit.tally(books.map(\.kept), order)
      item.list = tally.list
      for (book, outcome) in zip(books, tally.counts.outcomes) {
        switch outcome {
        case .new: item.new += 1
        case .changed: item.changed += 1
        case .same: item.unchanged += 1
        case .refused(let reason):
          rejected += book.places.map { ($0, reason) }
          item.joined -= book.lines.count - 1
        }
      }
      rejected.sort { $0.0.line < $1.0.line }
      item.passed.sort { $0.line < $1.line }
      item.rejected = rejected.map { .init(line: $0.0.line, reason: $0.1) }
      item.again = file.again(rejected.map(\.0))
      return item
    }
  }

  private static func read(
    _ order: ShelfFileOrder
  ) throws(ErrorItem) -> (ShelfFile, ShelfReading) {
    do throws(ShelfFileError) {
      var file = try ShelfFile(order.bytes, as: order.format.flatMap(ShelfFormat.init))
      let reading = ShelfReading(&file)
      return (file, reading)
    } catch {
      throw ErrorItem("unknown_shelf_file", error.description)
    }
  }

  package func write(
    _ list: String, as format: String, at seat: Seat
  ) async throws(ErrorItem) -> ShelfOutputItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let list = try await visit.list(list)
      let books = try await visit.members(of: list).map { KeptEntry($0) }
      guard let form = ShelfFormat(rawValue: format),
        let file = ShelfWriter(books, as: form, named: list.name)
      else { throw ErrorItem("bad_value", format) }
      return ShelfOutputItem(
        list: list.name, format: format, books: file.written,
        losses: file.losses.sorted { $0.key < $1.key }.map { ($0.key.rawValue, $0.value) },
        text: String(decoding: file.bytes, as: UTF8.self))
    }
  }
}

extension Visit {
  fileprivate func tally(
    _ rows: [KeptEntry], _ order: ShelfFileOrder
  ) async throws(ErrorItem) -> (list: String, counts: ReadingLists.Tally) {
    do throws(ErrorItem) {
      // What a service keeps is filled by the service: a file would be written there row by row.
      try await refuseMirrored(try await list(order.list))
    } catch {
      guard error.code == "unknown_list" else { throw error }
    }
    let (lists, patron) = (house.lists, patron.id)
    return try await listed(order.list) { () throws(ListError) in
      let list: CustomList
      do throws(ListError) { list = try await lists.list(called: order.list, of: patron) } catch {
        guard error == .noSuchList else { throw error }
        if order.effect == .counted || rows.isEmpty {
          return (order.list, ReadingLists.weigh(rows))
        }
        list = try await lists.create(named: order.list, for: patron)
      }
      switch order.effect {
      case .counted:
        let counts = try await lists.weigh(rows, into: list.id, of: patron)
        return (list.name, counts)
      case .taken:
        let counts = try await lists.take(rows, into: list.id, of: patron)
        return (list.name, counts)
      }
    }
  }
}

extension ShelfFile.Row.Meaning {
  fileprivate var reason: String {
    switch self {
    case .book: ""
    case .passed(let reason), .fault(let reason): reason
    }
  }
}

extension KeptEntry {
  /// By the words of the file, by our own, or by those of most services.
  fileprivate func stands(on shelf: String) -> Bool {
    let wanted = shelf.lowercased()
    let names =
      shelves + entry.lists.map(\.rawValue)
      + [entry.state?.word, entry.state?.shelf]
      .compactMap { $0 }
    return names.contains { $0.lowercased() == wanted }
  }
}
