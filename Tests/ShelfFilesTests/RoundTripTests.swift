import Circulation
import FoundationEssentials
import ReadingLists
import StoreSupport
import TestSupport
import Testing

@testable import ShelfFiles

/// What may stand in any cell of anybody's file.
private func odd(_ dice: inout Dice) -> String {
  let parts = [
    "Tide", "wrack", " ", ",", "\"", ";", "=", "+", "-", "@", "'", "<br/>", "é", "図", "&amp;", "&",
    "|", "(Sea, #1)", "0", "7", "\u{1F98A}", "/",
  ]
  return (0..<Int.random(in: 0...6, using: &dice)).map { _ in dice.one(parts) }.joined()
}

private func cell(_ column: String, _ dice: inout Dice) -> String {
  let folded = column.lowercased()
  let usual: [String] =
    if folded.contains("date") || folded.contains("acquired") {
      ["2021/03/05", "2021-03-05", "3/5/2021", "2021", "2021/03/01-2021/03/05", "[2021-03-05]", ""]
    } else if folded.contains("isbn") {
      ["9780141439600", "=\"0141439602\"", "=\"\"", "[0141439602]", "0141439587", "x", ""]
    } else if folded.contains("rating") {
      ["0", "5", "4.25", "3.5", "", "6", "3,5"]
    } else if folded.contains("shelf") || folded.contains("status") || folded.contains("coll") {
      ["read", "to-read", "currently-reading", "dropped", "Read", "Your library, To read", ""]
    } else if folded.contains("id") || folded.contains("count") {
      ["\(Int.random(in: 0...9_999, using: &dice))", ""]
    } else {
      ["Ada Quill", "Quill, Ada", "Bo  Reed, Cy Moss", "sea, salt", ""]
    }
  return Int.random(in: 0..<3, using: &dice) == 0 ? odd(&dice) : dice.one(usual)
}

/// A file of this layout whose cells are anything.
private func table(_ layout: Layout, rows: Int, _ dice: inout Dice) -> (Header, [[String]]) {
  let header = Header(layout.columns + ["Mood", "Ünknown col"], known: [:])
  let table = (0..<rows).map { row in
    header.names.map { name in
      switch name {
      case "Title", "title": "T\(row)" + odd(&dice)
      // Each row is a book of its own.
      case "Book Id", "remote_id": "\(row + 1)"
      default: cell(name, &dice)
      }
    }
  }
  return (header, table.map { $0.map { Formula.bare($0) } })
}

@Suite struct `A list that goes out as it came in` {
  static let layouts: [ShelfFormat] = [.goodreads, .storygraph, .librarything]

  @Test(arguments: layouts, 1...25)
  func `A list that goes out as it came in has every cell as it was`(format: ShelfFormat, seed: Int)
    throws
  {
    let layout = try #require(format.layout)
    var dice = Dice(UInt64(seed))
    let (header, rows) = table(layout, rows: 8, &dice)
    for row in rows {
      guard case .book(let kept) = layout.whole(Cells(header, row)) else {
        Issue.record("\(row)")
        continue
      }
      #expect(layout.rows(of: kept, header) == [row])
    }
  }

  @Test(arguments: [ShelfFormat.goodreads, .storygraph, .bookwyrm, .librarything, .json], 1...12)
  func `A list that goes out as it came in is the same list again`(format: ShelfFormat, seed: Int)
    throws
  {
    var dice = Dice(UInt64(seed))
    let layout = format.layout ?? .goodreads
    let (header, rows) = table(layout, rows: 20, &dice)
    let books: [KeptEntry] = rows.compactMap { row in
      guard case .book(let kept) = layout.whole(Cells(header, row)) else { return nil }
      return RowSense.fault(of: kept) == nil ? kept : nil
    }
    let writer = try #require(ShelfWriter(books, as: format, named: "L"))
    #expect(writer.losses[.book] == nil && writer.written == books.count)
    let (file, reading) = try read(writer.bytes)
    #expect(file.format == format && reading.faults.isEmpty)
    let back = reading.books.map(\.kept)
    #expect(back.map(\.entry) == books.map(\.entry))
    #expect(back.map(\.shelves) == books.map(\.shelves))
    let again = try #require(ShelfWriter(back, as: format, named: "L"))
    #expect(again.bytes == writer.bytes)
  }

  @Test func `A list that goes out as it came in has a row for each shelf again`() throws {
    let header = Header(Layout.bookWyrm.columns, known: [:])
    let book = [
      "title": "Tidewrack", "author_text": "Ada Quill", "remote_id": "https://w.example/book/1",
      "isbn_13": "9780141439600", "finish_date": "2021-03-20", "rating": "4.5",
    ]
    let shelves = [
      ("read", "Read", "2021-03-20"), ("sea-9", "Sea", "2021-03-21"), ("salt-4", "Salt", ""),
    ]
    let rows = shelves.map { slug, name, date in
      header.names.map { column in
        switch column {
        case "shelf": slug
        case "shelf_name": name
        case "shelf_date": date
        default: book[column] ?? ""
        }
      }
    }
    let text = ([header.names] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    let (_, reading) = try read(text)
    #expect(reading.books.count == 1 && reading.books[0].lines == [2, 3, 4])
    let writer = try #require(
      ShelfWriter(reading.books.map(\.kept), as: .bookwyrm, named: "L"))
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    #expect(writer.losses == [:])
  }

  @Test
  func `an exported list contains what was changed and is otherwise as it was imported`() throws {
    let (_, reading) = try read(Sample.whole)
    var books = reading.books.map(\.kept)
    books[0].entry.rating = 2
    books[0].entry.state = .reading
    let writer = try #require(ShelfWriter(books, as: .goodreads, named: "L"))
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.contains("Tidewrack  (Quillon") && text.contains("Ada    Quill"))
    let (_, back) = try read(text)
    #expect(back.books[0].kept.entry == books[0].entry)
    #expect(back.books[1].kept == books[1])
  }

  @Test(arguments: Engine.allCases)
  func `A list that goes out as it came in has been on a list of ours meanwhile`(engine: Engine)
    async throws
  {
    let text = Sample.whole
    try await withStore(engine, tables: [ReadingLists.migrations]) { store in
      let clock = Clock()
      let lists = ReadingLists(store: store, now: { clock.now })
      let ada = PatronID("ada")
      let list = try await lists.create(named: "Mine", for: ada).id
      let (_, reading) = try read(text)
      let first = try await lists.take(reading.books.map(\.kept), into: list, of: ada)
      #expect(first.count(.new) == 2)
      let second = try await lists.take(reading.books.map(\.kept), into: list, of: ada)
      #expect(second.count(.same) == 2)
      let kept = try await lists.members(of: list, of: ada).compactMap(\.book.entry)
      let writer = try #require(ShelfWriter(kept, as: .goodreads, named: "Mine"))
      #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
      #expect(writer.losses == [:])
    }
  }
}

enum Sample {
  /// Two rows with all columns, as the service writes them, and one more of somebody's own.
  static let whole = #"""
    Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,\#
    Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,\#
    Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,\#
    Private Notes,Read Count,Owned Copies,My mood
    77,"Tidewrack  (Quillon, #1)",Ada    Quill,"Quill, Ada",Bo Reed,"=""0141439602""",\#
    "=""9780141439600""",4,3.99,"House, Ltd.",Paperback,0,2003,-700,2021/03/05,2020/12/31,\#
    "sea, salt","sea (#3), salt (#1)",read,"So<br/>""it"" goes",true,'=mine,2,1,'@low
    78,'-Saltmarsh-,Cy Moss,"Moss, Cy",,"=""""","=""2940012572707""",0,4.00,,Nook,,,,,2020/12/30,\#
    to-read,to-read (#2),to-read,,,,0,0,

    """#
}

@Suite struct `A list in another form` {
  private func entry() -> KeptEntry {
    var entry = ListEntry(item: ItemID(""), title: "=cmd|' /C calc'!A0")
    entry.authors = ["Ada Quill", "Quill, Bo"]
    entry.isbns = ["9780141439600", "9780141439587"].compactMap { ISBN($0) }
    entry.rating = 4.25
    entry.readings = [
      .init(started: day(2019), finished: day(2020, 5)), .init(finished: day(2021, 1, 2)),
    ]
    entry.state = .stopped
    entry.review = "one\n\ttwo"
    return KeptEntry(entry, shelves: ["sea", "+salt"])
  }

  @Test func `A list in another form says what that form has no place for`() throws {
    var bare = KeptEntry(ListEntry(item: ItemID(""), title: "Plain"))
    bare.entry.state = .read
    let cases: [(ShelfFormat, [ShelfWriter.Loss: Int])] = [
      (.goodreads, [.rating: 1, .readings: 1, .authors: 1, .state: 1]),
      (.storygraph, [.authors: 1, .isbns: 1]), (.json, [:]),
      (.isbn, [.book: 1, .isbns: 1, .details: 1]),
      (.librarything, [.readings: 1, .state: 1, .text: 1, .authors: 1]),
    ]
    for (format, losses) in cases {
      let writer = try #require(ShelfWriter([entry(), bare], as: format, named: "L"))
      #expect(writer.losses == losses, "\(format)")
    }
    #expect(ShelfWriter([], as: .calibre, named: "L") == nil)
  }

  @Test(arguments: [ShelfFormat.goodreads, .storygraph, .bookwyrm, .librarything])
  func `A list in another form has no formula that its reader did not write as one`(
    format: ShelfFormat
  ) throws {
    var kept = entry()
    kept.entry.review = "@one"
    kept.extras = [
      "=HYPERLINK(1)": "@x", "Note": "\tx", "Sum": "-1+cmd", "Blank": " =1+1", "Wide": "＝1+1",
    ]
    let writer = try #require(ShelfWriter([kept], as: format, named: "L"))
    let separator = String(decoding: [format == .librarything ? 0x09 : 0x2C], as: UTF8.self)
    let cells = String(decoding: writer.bytes, as: UTF8.self)
      .split { $0.isNewline || String($0) == separator }
    for cell in cells {
      let text = cell.drop { $0 == "\"" }
      #expect(!"@+\t＝".contains(text.first ?? " "), "\(cell)")
      if text.first == "=" { #expect(text.contains(/^=""\d{9}[\dX]""|^=""\d{13}""|^=""""/)) }
      if text.first == "-" { #expect(text.contains(/^[-\d\/ ,.]+"?$/), "\(cell)") }
    }
    let (_, reading) = try read(writer.bytes)
    #expect(reading.books[0].kept.entry.title == kept.entry.title)
    for (name, value) in kept.extras where name != "Note" {
      #expect(reading.books[0].kept.extras[name] == value)
    }
  }

  @Test func `A list in another form is a list of numbers where that is asked for`() throws {
    let writer = try #require(ShelfWriter([entry()], as: .isbn, named: "L"))
    #expect(writer.bytes == Array("9780141439600\n".utf8) && writer.written == 1)
  }
}
