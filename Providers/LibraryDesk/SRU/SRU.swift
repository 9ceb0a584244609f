import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit

/// A catalogue asked by SRU, with records and copies in MARC (§8 of the reference). What it says of
/// copies may be hours old.
struct SRU: Sendable {
  let base: Address
  let indexes: Indexes
  let holdings: Holdings
  let desk: Settings
  let session: Session

  /// What the server calls what we ask by; they vary.
  struct Indexes: Sendable {
    let isbn: String
    let title: String
    let author: String
    /// For the number of a record; nil where there is no such index.
    let record: String
    /// For any word of a record.
    let words: String
  }

  static let needs: [ProviderListing.Field] = [
    Settings.field("sru_isbn_index", "The SRU index of ISBNs"),
    Settings.field("sru_title_index", "The SRU index of titles"),
    Settings.field("sru_author_index", "The SRU index of authors"),
    Settings.field("sru_record_index", "The SRU index of record numbers"),
    Settings.field("sru_words_index", "The SRU index of all words of a record"),
    Settings.field("sru_holdings", "Where MARC has copies: 952, 852 or 945 with its parts"),
  ]

  init(_ library: Library, _ settings: Settings, _ session: Session) throws(SettingsFault) {
    base = try library.endpoint("sru")
    (desk, self.session) = (settings, session)
    indexes = Indexes(
      isbn: library.settings["sru_isbn_index"] ?? "bath.isbn",
      title: library.settings["sru_title_index"] ?? "dc.title",
      author: library.settings["sru_author_index"] ?? "dc.author",
      record: library.settings["sru_record_index"] ?? "rec.id",
      words: library.settings["sru_words_index"] ?? "cql.serverChoice")
    let named = [indexes.isbn, indexes.title, indexes.author, indexes.record, indexes.words]
    for index in named {
      guard !index.isEmpty, index.utf8.allSatisfy(Self.isIndexSign) else {
        throw SettingsFault(
          library.id, "sru_isbn_index", "or another index is no name such as dc.title")
      }
    }
    holdings = try Holdings(library)
  }

  private static func isIndexSign(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  // MARK: - Questions

  func find(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> [FoundEdition]
  {
    var seen: Set<BookNumbers> = []
    var (found, known): ([FoundEdition], Set<ItemID>) = ([], [])
    for book in books where (!book.isbns.isEmpty || book.title != nil) && seen.insert(book).inserted
    {
      var records = try await matching(book, byNumber(book), in: call)
      if records.isEmpty { records = try await matching(book, byWords(book), in: call) }
      for (edition, record) in records where known.insert(edition.item).inserted {
        if let lent = self.found(edition, record) { found.append(lent) }
      }
    }
    return found
  }

  func search(_ words: DeskWords, in call: Call)
    async throws(CirculationError) -> [FoundEdition]
  {
    let query =
      words.number.map { numbered([$0]) }
      ?? words.all.map { "\(indexes.words)=\(Self.quoted($0))" }.joined(separator: " and ")
    var known: Set<ItemID> = []
    return try await records(query, .search, most: Self.mostFound, in: call).compactMap { record in
      guard !record.isOnline, let item = item(of: record), known.insert(item).inserted,
        let edition = record.edition(named: item)
      else { return nil }
      return found(edition, record)
    }
  }

  private static let mostFound = 50

  /// Nil without a copy that is ever lent: there is nothing to wait for.
  private func found(_ edition: Edition, _ record: MARCRecord) -> FoundEdition? {
    let copies = CopyList(copies: holdings.copies(in: record, desk))
    guard copies.copies.contains(where: \.state.canBeLent) else { return nil }
    return FoundEdition(edition, availability(of: copies))
  }

  /// Those records on paper that are the book.
  private func matching(
    _ book: BookNumbers, _ query: String?, in call: Call
  ) async throws(CirculationError) -> [(Edition, MARCRecord)] {
    guard let query else { return [] }
    return try await records(query, .lookUp, in: call).compactMap { record in
      guard !record.isOnline, let item = item(of: record),
        let edition = record.edition(named: item), TitleMatch.isSame(edition, as: book)
      else { return nil }
      return (edition, record)
    }
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    var told: [ItemID: Availability] = [:]
    for item in items {
      let record = try await record(of: item, .availability, in: call)
      told[item] =
        record.map { availability(of: CopyList(copies: holdings.copies(in: $0, desk))) }
        ?? Availability(.unknownToProvider, asOf: session.clock.date())
    }
    return told
  }

  func copies(of item: ItemID, in call: Call) async throws(CirculationError) -> [Copy] {
    guard let record = try await record(of: item, .copies, in: call) else {
      throw Failures.failure(.titleGone, .copies)
    }
    return holdings.copies(in: record, desk)
  }

  private func availability(of list: CopyList) -> Availability {
    let counts = list.counted(holds: nil)
    let status: Availability.Status =
      (counts.available ?? 0) > 0
      ? .available(counts) : (counts.total ?? 0) > 0 ? .queued(counts) : .unavailable(counts)
    return Availability(status, asOf: session.clock.date())
  }

  /// Nil for a name of ours that leads to no record.
  private func record(
    of item: ItemID, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> MARCRecord? {
    guard case .title(let number)? = ItemName(item) else { return nil }
    return try await records("\(indexes.record)=\(Self.quoted(number))", operation, in: call)
      .first { self.item(of: $0) == item }
  }

  private func item(of record: MARCRecord) -> ItemID? {
    let number = record.first("999")?["c"] ?? record.first("001")?.text.trimmingBlanks
    return number.flatMap { $0.isEmpty ? nil : ItemName.title($0).item }
  }

  // MARK: - CQL

  private func byNumber(_ book: BookNumbers) -> String? {
    book.isbns.isEmpty ? nil : numbered(Array(book.isbns.prefix(6)))
  }

  private func numbered(_ isbns: [ISBN]) -> String {
    isbns.flatMap { [$0.digits, $0.short].compactMap(\.self) }
      .map { "\(indexes.isbn)=\(Self.quoted($0))" }.joined(separator: " or ")
  }

  private func byWords(_ book: BookNumbers) -> String? {
    guard let title = book.title, let author = book.authors.first else { return nil }
    let main = title.split(separator: ":", maxSplits: 1).first.map(String.init) ?? title
    let family =
      author.utf8.contains(UInt8(ascii: ","))
      ? author.parts(at: ",")[0] : author.split(separator: " ").last.map(String.init) ?? author
    return "\(indexes.title)=\(Self.quoted(main.trimmingBlanks))"
      + " and \(indexes.author)=\(Self.quoted(family))"
  }

  /// As a text of the query language: quotes and backslashes are told from its own, and signs that
  /// stand for others stand for themselves.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for sign in text.prefix(200) where !sign.isNewline {
      if "\"\\*?^".contains(sign) { quoted.append("\\") }
      quoted.append(sign)
    }
    return quoted + "\""
  }

  private func records(
    _ query: String, _ operation: Circulation.Operation, most: Int = 10, in call: Call
  ) async throws(CirculationError) -> [MARCRecord] {
    var request = WireRequest(
      .get,
      base.adding([
        .init("operation", "searchRetrieve"), .init("version", "1.1"), .init("query", query),
        .init("maximumRecords", String(most)), .init("recordSchema", "marcxml"),
      ]))
    request.bodyLimit = 4 << 20
    let reply = try await session.send(request, operation, in: call)
    guard reply.status.code == 200 else {
      throw Failures.failure(
        Failures.reason(ofStatus: reply.status.code, retryAfter: reply.retryAfter), operation,
        says: "HTTP \(reply.status.code)")
    }
    return try SRUReply.records(in: reply.body, operation)
  }
}

enum SRUReply {
  /// A diagnosis in place of records is an error, unless it only says that there are none.
  static func records(in body: [UInt8], _ operation: Circulation.Operation)
    throws(CirculationError) -> [MARCRecord]
  {
    guard let root = try? WireXML(parsing: body), root.isNamed("searchRetrieveResponse"),
      let count = root.whole("numberOfRecords") ?? (root["diagnostics"] == nil ? nil : 0)
    else { throw Failures.malformed("an answer of SRU", operation) }
    if count == 0, let diagnosis = root["diagnostics"]?.everywhere("diagnostic").first {
      let words = [diagnosis.words("message"), diagnosis.words("details")].compactMap(\.self)
      throw Failures.failure(
        .notConfigured(what: "the indexes of the SRU server"), operation,
        says: Failures.shown(words.joined(separator: ": ")))
    }
    let wrapped = root.list("record", in: "records")
    guard count == 0 || !wrapped.isEmpty else {
      throw Failures.malformed("\(count) records", operation)
    }
    return wrapped.compactMap { record in
      record["recordData"]?.everywhere("record").first.flatMap(MARCRecord.init)
    }
  }
}
