import Circulation
import FoundationEssentials
import ReadingLists

extension Layout {
  /// Between tabs, without quotes, with character references.
  static let libraryThing = Layout(
    columns: [
      "Book Id", "Title", "Sort Character", "Primary Author", "Primary Author Role",
      "Secondary Author", "Secondary Author Roles", "Publication", "Date", "Review", "Rating",
      "Comment", "Private Comment", "Summary", "Media", "Physical Description", "Page Count",
      "LCCN", "Acquired", "Date Started", "Date Read", "Barcode", "BCID", "Tags", "Collections",
      "Languages", "Original Languages", "LC Classification", "ISBN", "ISBNs", "Subjects",
      "Dewey Decimal", "Dewey Wording", "Other Call Number", "Copies", "Source", "Entry Date",
      "From Where", "OCLC", "Work id",
    ],
    signs: [["Title", "Primary Author"], ["Title", "Collections"]],
    separator: 0x09, hasQuotes: false,
    parse: { .book(LibraryThingRow.parse(&$0)) }, render: { [LibraryThingRow.render($0)] })
}

enum LibraryThingRow {
  static func parse(_ cells: inout Cells) -> KeptEntry {
    let title = cells.take("Title").map(Entities.decoded) ?? ""
    var entry = ListEntry.of("librarything", cells.take("Book Id"), title: title)
    entry.authors = cells.take("Primary Author").map { [turned(Entities.decoded($0))] } ?? []
    entry.authors +=
      cells.take("Secondary Author").map { text in
        text.split(separator: "|").map { turned(Entities.decoded(String($0))) }
      } ?? []
    if let work = cells.take("Work id") {
      entry.identifiers.append(ForeignIdentifier(scheme: "librarything-work", value: work))
    }
    if let number = cells.take("OCLC") {
      entry.identifiers.append(ForeignIdentifier(scheme: "oclc", value: number))
    }
    entry.isbns = isbns(&cells)
    entry.published = cells.date("Date")
    entry.review = cells.text("Review").map(Entities.decoded)
    entry.rating = cells.rating("Rating")
    entry.addedAt = cells.take("Entry Date") { FileDate.read($0)?.instant }
    let started = cells.date("Date Started")
    let finished = cells.date("Date Read")
    if started != nil || finished != nil {
      entry.readings = [.init(started: started, finished: finished)]
    }
    entry.lists = cells.names("Collections").map { ListID(Entities.decoded($0)) }
    entry.state = state(entry)
    return KeptEntry(entry, shelves: cells.names("Tags").map(Entities.decoded))
  }

  private static func isbns(_ cells: inout Cells) -> [ISBN] {
    let one = cells.take("ISBN") { text in
      ISBN(String(text.filter { $0 != "[" && $0 != "]" }))
    }
    let more = cells.take("ISBNs") { text -> [ISBN]? in
      let all = text.split(separator: ",").map { ISBN(String($0)) }
      return all.contains(nil) ? nil : all.compactMap { $0 }
    }
    return ((one.map { [$0] } ?? []) + (more ?? [])).distinct
  }

  static func render(_ kept: KeptEntry) -> [Layout.Cell] {
    let entry = kept.entry
    let reading = entry.readings.last
    return [
      ("Book Id", entry.number("librarything")), ("Title", plain(entry.title)),
      ("Primary Author", entry.authors.first.map { plain(inverted($0)) } ?? ""),
      (
        "Secondary Author",
        entry.authors.dropFirst().map { plain(inverted($0)) }.joined(separator: "|")
      ),
      ("Work id", entry.number("librarything-work")), ("OCLC", entry.number("oclc")),
      ("ISBN", entry.isbns.first.map { "[\($0.short ?? $0.digits)]" } ?? ""),
      ("ISBNs", Written.names(entry.isbns.map(\.digits))),
      ("Date", entry.published?.description ?? ""), ("Review", plain(entry.review ?? "")),
      ("Rating", Written.rating(entry.rating)), ("Entry Date", bracketed(entry.addedAt?.day)),
      ("Date Started", bracketed(reading?.started)), ("Date Read", bracketed(reading?.finished)),
      ("Collections", Written.names(collections(entry).map(plain))),
      ("Tags", Written.names(kept.shelves.map(plain))),
    ]
  }

  /// "Your library" says that a book is owned, not that it was read.
  static func state(_ entry: ListEntry) -> ReadingState? {
    let names = Set(entry.lists.map { $0.rawValue.lowercased() })
    if names.contains("currently reading") { return .reading }
    if names.contains("to read") { return .wanted }
    if names.contains("read but unowned") { return .read }
    if let reading = entry.readings.last { return reading.finished == nil ? .reading : .read }
    return names.contains("wishlist") ? .wanted : nil
  }

  private static func collections(_ entry: ListEntry) -> [String] {
    if entry.number("librarything") != "" { return entry.lists.map(\.rawValue) }
    return switch entry.state {
    case .wanted: ["To read"]
    case .reading: ["Currently reading"]
    case .read: ["Read but unowned"]
    case .stopped: ["Stopped reading"]
    case .other(let name): [name]
    case nil: []
    }
  }

  /// `Last, First` as people say it.
  static func turned(_ name: String) -> String {
    let parts = name.squeezed.split(separator: ",", maxSplits: 1).map { String($0).trimmed }
    return parts.count == 2 ? "\(parts[1]) \(parts[0])" : name.squeezed
  }

  private static func inverted(_ name: String) -> String {
    guard let blank = name.lastIndex(of: " "), !name.contains(",") else { return name }
    return "\(name[name.index(after: blank)...]), \(name[..<blank])"
  }

  private static func bracketed(_ date: PartialDate?) -> String { date.map { "[\($0)]" } ?? "" }

  /// A row is one line and a tab ends a cell, so neither can be in a text.
  private static func plain(_ text: String) -> String {
    let text = Entities.encoded(text)
    guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else { return text }
    return String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
