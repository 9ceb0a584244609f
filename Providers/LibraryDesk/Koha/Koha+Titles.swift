import Circulation
import FoundationEssentials
import HTTP
import JSON
import ProviderKit

// Titles and their copies.

extension Koha {
  /// By number first. What is not found so is asked for by title and author: the book on paper has
  /// other numbers than the file.
  func find(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> [FoundEdition]
  {
    var (editions, seen): ([Edition], Set<BookNumbers>) = ([], [])
    let wanted = books.filter { (!$0.isbns.isEmpty || $0.title != nil) && seen.insert($0).inserted }
    for batch in wanted.batches(of: Self.booksAtOnce) {
      let byNumber = try await records(Self.numbers(of: batch), in: call)
      let numbered = batch.map { book in byNumber.filter { TitleMatch.isSame($0, as: book) } }
      editions += numbered.flatMap(\.self)
      let rest = zip(batch, numbered).filter { $1.isEmpty && $0.title != nil }.map(\.0)
      let byWords = try await records(rest.compactMap(Self.words), in: call)
      editions += rest.flatMap { book in byWords.filter { TitleMatch.isSame($0, as: book) } }
    }
    return try await lent(editions, .lookUp, in: call)
  }

  /// Each word stands in the title or in the author's name. The first page is what is looked at: nobody
  /// reads further, and "the" is in half of a catalogue.
  func search(_ words: DeskWords, in call: Call)
    async throws(CirculationError) -> [FoundEdition]
  {
    var conditions = words.all.map { word -> JSONValue in
      let like: JSONValue = ["-like": .string("%\(Self.plain(word))%")]
      return ["-or": [["title": like], ["subtitle": like], ["author": like]]]
    }
    if let number = words.number {
      conditions = [["-or": .array(Self.numbers([number]))]]
    }
    let rows = try await page(
      "biblios", [Koha.filter(["-and": .array(conditions)])], accept: Self.marc, .search, in: call)
    return try await lent(try editions(rows, .search), .search, in: call)
  }

  /// Those that are ever lent, each once, with what can be had of them.
  private func lent(
    _ editions: [Edition], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [FoundEdition] {
    var known: Set<ItemID> = []
    let editions = editions.filter { known.insert($0.item).inserted }
    guard !editions.isEmpty else { return [] }
    let told = try await availability(of: editions.map(\.item), operation, in: call)
    return editions.compactMap { edition in
      // A record without a copy that is ever lent is nothing to wait for: online, on order for
      // years.
      guard let availability = told[edition.item], let total = availability.copies?.total, total > 0
      else { return nil }
      return FoundEdition(edition, availability)
    }
  }

  private static let booksAtOnce = 10

  /// Records hold numbers of ten signs and of thirteen, among words.
  private static func numbers(of books: [BookNumbers]) -> [JSONValue] {
    numbers(books.flatMap { $0.isbns.prefix(8) }.distinct)
  }

  private static func numbers(_ numbers: [ISBN]) -> [JSONValue] {
    numbers.flatMap { [$0.digits, $0.short].compactMap(\.self) }.map { digits in
      ["isbn": ["-like": .string("%\(digits)%")]]
    }
  }

  /// What the title begins with, up to its colon, by an author of that family name.
  private static func words(_ book: BookNumbers) -> JSONValue? {
    guard let title = book.title, let author = book.authors.first,
      let family = author.split(separator: " ").last, family.count > 1
    else { return nil }
    let filed =
      author.utf8.contains(UInt8(ascii: ","))
      ? author.parts(at: ",")[0] : String(family)
    let main = title.split(separator: ":", maxSplits: 1).first.map(String.init) ?? title
    let start = main.trimmingBlanks
    guard start.count > 1 else { return nil }
    return [
      "title": ["-like": .string("\(plain(start))%")],
      "author": ["-like": .string("%\(plain(filed))%")],
    ]
  }

  /// Signs that mean something to the filter stand for any sign.
  private static func plain(_ text: String) -> String {
    String(text.prefix(100).map { "%_\\\"".contains($0) ? "_" : $0 })
  }

  /// The records on paper that one of these conditions fits.
  private func records(_ conditions: [JSONValue], in call: Call)
    async throws(CirculationError) -> [Edition]
  {
    guard !conditions.isEmpty else { return [] }
    let rows = try await list(
      "biblios", [Koha.filter(.array(conditions))], accept: Self.marc, .lookUp, in: call)
    return try editions(rows, .lookUp)
  }

  private static let marc = "application/marc-in-json"

  private func editions(
    _ rows: [JSONValue], _ operation: Circulation.Operation
  ) throws(CirculationError) -> [Edition] {
    var editions: [Edition] = []
    for row in rows {
      guard let record = MARCRecord(row) else {
        throw Failures.malformed("records in MARC", operation)
      }
      guard !record.isOnline, let number = Self.number(of: record),
        let edition = record.edition(named: ItemName.title(String(number)).item)
      else { continue }
      editions.append(edition)
    }
    return editions
  }

  private static func number(of record: MARCRecord) -> Int? {
    record.first("999")?["c"].flatMap { Int($0) } ?? record.first("001").flatMap { Int($0.text) }
  }

  // MARK: - Copies

  func availability(
    of items: [ItemID], _ operation: Circulation.Operation = .availability, in call: Call
  ) async throws(CirculationError) -> [ItemID: Availability] {
    var told: [ItemID: Availability] = [:]
    for batch in items.batches(of: Self.titlesAtOnce) {
      let numbers = batch.compactMap { ItemName($0)?.number }
      let copies = numbers.isEmpty ? [:] : try await copies(of: numbers, operation, in: call)
      let bare = numbers.filter { copies[$0]?.items.isEmpty ?? true }
      let listed = bare.isEmpty ? [] : try await listed(bare, operation, in: call)
      let now = session.clock.date()
      for item in batch {
        guard let number = ItemName(item)?.number,
          let titled = copies[number], !titled.items.isEmpty || listed.contains(number)
        else {
          told[item] = Availability(.unknownToProvider, asOf: now)
          continue
        }
        told[item] = Availability(titled.status, asOf: now)
      }
    }
    return told
  }

  private static let titlesAtOnce = 25

  func copies(of item: ItemID, in call: Call) async throws(CirculationError) -> [Copy] {
    guard let number = ItemName(item)?.number else {
      throw Failures.failure(.titleGone, .copies)
    }
    let titled = try await copies(of: [number], .copies, in: call)[number]
    guard let titled, !titled.items.isEmpty else {
      guard try await listed([number], .copies, in: call).contains(number) else {
        throw Failures.failure(.titleGone, .copies)
      }
      return []
    }
    let names = try await libraries(.copies, in: call)
    return titled.items.map { item in item.copy(titled, names, desk) }
  }

  /// Copies and those who wait, of several titles at once.
  private func copies(
    of numbers: [Int], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [Int: KohaTitle] {
    var titles: [Int: KohaTitle] = [:]
    for number in numbers { titles[number] = KohaTitle() }
    for row in try await list("items", [Koha.among("biblio_id", numbers)], operation, in: call) {
      guard let item = KohaItem(row) else { throw Failures.malformed("copies", operation) }
      titles[item.title]?.items.append(item)
    }
    for row in try await list("holds", [Koha.among("biblio_id", numbers)], operation, in: call) {
      guard let hold = KohaHold(row) else { throw Failures.malformed("holds", operation) }
      titles[hold.title]?.holds.append(hold)
    }
    return titles
  }

  /// Which of the numbers are records at all.
  private func listed(
    _ numbers: [Int], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Set<Int> {
    Set(try await records(of: numbers, operation, in: call).keys)
  }

  /// Title and author, as the shelf shows them.
  func records(
    of numbers: [Int], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [Int: (title: String?, author: String?)] {
    var found: [Int: (title: String?, author: String?)] = [:]
    for batch in numbers.batches(of: 50) {
      for row in try await list("biblios", [Koha.among("biblio_id", batch)], operation, in: call) {
        guard let number = row["biblio_id"]?.whole else {
          throw Failures.malformed("records", operation)
        }
        let title = [row["title"]?.words, row["subtitle"]?.words].compactMap { $0 }
          .map(\.withoutLeadingMark).joined(separator: ": ")
        let author = row["author"]?.words.map(\.withoutLeadingMark)
        found[number] = (title.isEmpty ? nil : title, author)
      }
    }
    return found
  }
}
