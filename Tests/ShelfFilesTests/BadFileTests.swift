import CSV
import Circulation
import ReadingLists
import Testing

@testable import ShelfFiles

@Suite struct `A bad file` {
  @Test func `A bad file is refused in plain words where it is no list of books`() {
    let cases: [([UInt8], ShelfFileError)] = [
      ([], .empty), (Array(" \n\t\r\n".utf8), .empty), ([0xEF, 0xBB, 0xBF], .empty),
      (Array("<!DOCTYPE html><html><body>Sign in".utf8), .webPage),
      (Array("\n  <HTML lang=en>".utf8), .webPage),
      (Array("PK\u{3}\u{4}rest".utf8), .notText("a spreadsheet or an archive")),
      (Array("Height,Weight,Age\n1,2,3\n".utf8), .noBooks(columns: ["Height", "Weight", "Age"])),
      (Array("{\"a\":1}".utf8), .noBooks(columns: ["a"])),
    ]
    for (bytes, error) in cases {
      #expect(throws: error) { try read(bytes) }
    }
    #expect(throws: ShelfFileError.self) { try read("{\"books\":[", as: nil) }
    #expect(throws: ShelfFileError.notOfThatForm(.json)) { try read("Title\nEmma", as: .json) }
  }

  @Test func `A bad file of three columns is enough`() throws {
    let (file, reading) = try read("Title,Author,Bookshelves\nEmma,Jane Austen,to-read\n")
    #expect(file.format == .goodreads && reading.books[0].kept.entry.state == .wanted)
  }

  @Test func `A bad file is read in wide letters of both kinds, with a mark and without`() throws {
    let text = "Title,Author\nÉmile,Zoë\n図書館,Ж\n"
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let cases: [([UInt8], FileText.Encoding)] = [
      ([0xFF, 0xFE] + little, .utf16LE), ([0xFE, 0xFF] + big, .utf16BE), (little, .utf16LE),
      (big, .utf16BE), (Array(text.utf8), .utf8), ([0xFF, 0xFE] + little + [0x41], .utf16LE),
    ]
    for (bytes, encoding) in cases {
      let (file, reading) = try read(bytes)
      #expect(file.encoding == encoding)
      #expect(reading.books.map(\.kept.entry.title) == ["Émile", "図書館"])
    }
  }

  @Test func `A bad file of an old Windows program keeps its letters`() throws {
    let (file, reading) = try read(Array("Title\nZo".utf8) + [0xEB, 0x20, 0x93, 0x80, 0x94, 0x0A])
    #expect(file.encoding == .windows1252)
    #expect(reading.books[0].kept.entry.title == "Zoë “€”")
  }

  @Test func `A bad file with one broken letter loses only that row`() throws {
    let good = String(repeating: "Zoë été,Ada\n", count: 20).utf8
    let (file, reading) = try read(
      Array("Title,Author\n".utf8) + Array(good) + [0xFF, 0x0A] + Array("Last,Bo\n".utf8))
    #expect(file.encoding == .utf8 && reading.reasons == ["it is not UTF-8"])
    #expect(reading.books.last?.kept.entry.title == "Last")
  }

  @Test func `A bad file has every row in exactly one count`() throws {
    let text = """
      Title,Author,ISBN,Read Status
      Emma,Jane Austen,,read
      ,Nobody,123,read
      Too,many,,read,cells,here
      Short
      Zero\u{0},Ada,,read
      "Open,Ada,,read
      ,,9780141439600,read
      Emma,Jane Austen,,read
      "a"b,Ada,,read

      Last,Bo,,to-read
      """
    let (file, reading) = try read(text)
    #expect(reading.rows == 10)
    #expect(reading.books.map(\.lines) == [[2, 9], [5], [8], [12]])
    #expect(
      reading.faults.map { "\($0.line)" } == ["3", "4", "6", "7", "10"])
    #expect(
      reading.reasons == [
        "it has no title and no right ISBN", "it has more fields than the header",
        "it has zero bytes in it", "text follows a closing quote", "text follows a closing quote",
      ])
    #expect(
      String(decoding: file.again(reading.faults.map(\.place)), as: UTF8.self) == """
        Title,Author,ISBN,Read Status
        ,Nobody,123,read
        Too,many,,read,cells,here
        Zero\u{0},Ada,,read
        "Open,Ada,,read
        "a"b,Ada,,read

        """)
  }

  @Test func `A bad file comes back as it was, to be put right and read again`() throws {
    let (file, reading) = try read("\u{FEFF}Title;ISBN;Stars\n;1\"2;5\nEmma;;5\n")
    let again = String(decoding: file.again(reading.faults.map(\.place)), as: UTF8.self)
    #expect(again == "Title;ISBN;Stars\n;1\"2;5\n")
    let (_, corrected) = try read(again.replacing("1\"2", with: "9780141439600"))
    #expect(corrected.books.count == 1 && corrected.faults.isEmpty)
    let (objects, bad) = try read(#"{"books":[{"item":"","title":""},{"item":"","title":"Emma"}]}"#)
    let (_, fixed) = try read(
      String(decoding: objects.again(bad.faults.map(\.place)), as: UTF8.self)
        .replacing("\"title\":\"\"", with: "\"title\":\"Persuasion\""))
    #expect(fixed.books.map(\.kept.entry.title) == ["Persuasion"])
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "10000", "0"])
  func `A bad file keeps a year of no calendar as it came`(year: String) throws {
    let column = "Original Publication Year"
    let kept = try book("Title,Exclusive Shelf,\(column)\nEmma,read,\(year)\n")
    #expect(kept.entry.published == nil && kept.extras[column] == year)
    let writer = try #require(ShelfWriter([kept], as: .goodreads, named: "L"))
    #expect(try read(writer.bytes).1.books.map { $0.kept.extras[column] } == [year])
  }

  @Test func `A bad file of numbers that nobody gives can be written`() throws {
    let kept = try book(
      #"{"books":[{"item":"1","title":"Emma","rating":1e300,"published":[9223372036854775807]}]}"#)
    #expect(kept.entry.rating == nil && kept.entry.published == nil)
    var wild = kept
    wild.entry.rating = 1e300
    for format in ShelfFormat.written {
      for kept in [kept, wild] {
        #expect(ShelfWriter([kept], as: format, named: "L") != nil)
      }
    }
  }

  @Test func `A bad file may name a column twice`() throws {
    let kept = try book("Title,Shelf,Title,Shelf\nEmma,read,Other,x\n")
    #expect(kept.entry.title == "Emma" && kept.entry.state == .read)
    #expect(kept.extras == ["title (2)": "Other", "shelf (2)": "x"])
  }

  @Test func `A bad file keeps a review of ten thousand letters and refuses what nobody writes`()
    throws
  {
    let review = String(repeating: "long \"é\"\n", count: 1_250)
    let quoted = review.replacing("\"", with: "\"\"")
    #expect(
      try book("Title,Review\nEmma,\"\(quoted)\"\n").entry.review?.count == review.count)
    let endless = String(repeating: "x", count: 300 << 10)
    let (_, reading) = try read("Title,Review\nEmma,\(endless)\nEmma,\"\(endless)\"\nLast,\n")
    #expect(reading.reasons == ["a field is too long", "a field is too long"])
    #expect(reading.books.count == 1)
    let (_, titled) = try read("Title\n\(String(repeating: "x", count: 2_001))\n")
    #expect(titled.reasons == ["the title is too long"])
  }

  @Test(arguments: 1...200)
  func `A bad file of any bytes ends, and what is read of it can be written`(seed: Int) throws {
    var dice = Dice(UInt64(seed))
    let json = #"{"9":{"books_id":"9","title":"T","isbn":{"0":"0141439602"},"authors":[[]]}}"#
    var bytes = Array(dice.one([Sample.whole, json, "9780141439600\n0141439602\n"]).utf8)
    for _ in 0..<Int.random(in: 1...30, using: &dice) {
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(dice.one([0x22, 0x2C, 0x0A, 0x0D, 0x09, 0x3B, 0xEF, 0x00]), at: place)
      default: bytes.append(contentsOf: bytes[place...].prefix(40))
      }
      if bytes.isEmpty { return }
    }
    let file: ShelfFile
    let reading: ShelfReading
    do throws(ShelfFileError) { (file, reading) = try read(bytes) } catch { return }
    let places = reading.books.flatMap(\.places) + reading.faults.map(\.place)
    #expect(Set(places.map(\.line)).count == places.count)
    #expect(!file.again(places).isEmpty)
    for format in ShelfFormat.written {
      let kept = reading.books.map(\.kept)
      let writer = try #require(ShelfWriter(kept, as: format, named: "L"))
      guard format != .isbn, !kept.isEmpty else { continue }
      #expect(try read(writer.bytes).1.faults.isEmpty)
    }
  }
}
