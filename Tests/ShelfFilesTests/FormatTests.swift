import Circulation
import FoundationEssentials
import ReadingLists
import Testing

@testable import ShelfFiles

@Suite struct `A Goodreads export` {
  static let head = """
    Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Date Read,Date Added,\
    Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Private Notes,Read Count
    """

  @Test func `A Goodreads export is read with all that its reader said`() throws {
    let kept = try book(
      Self.head + "\n" + #"""
        77,"Tidewrack (Quillon, #1)",Ada   Quill,"Quill, Ada","Bo Reed, Cy Moss","=""0141439602""","=""9780141439600""",4,2021/02/03,2020/12/31,"currently-reading, sea","sea (#3)",currently-reading,"So<br/>""it"" goes",mine,2
        """#)
    let entry = kept.entry
    #expect(entry.title == "Tidewrack (Quillon, #1)" && entry.item.rawValue == "goodreads:77")
    #expect(entry.authors == ["Ada Quill", "Bo Reed", "Cy Moss"])
    #expect(entry.isbns.map(\.digits) == ["9780141439600"])
    #expect(entry.rating == 4 && entry.state == .reading && entry.readCount == 2)
    #expect(entry.readings == [.init(finished: day(2021, 2, 3))])
    #expect(entry.addedAt?.day == day(2020, 12, 31))
    #expect(entry.review == "So<br/>\"it\" goes" && kept.shelves == ["sea"])
    #expect(kept.extras["Private Notes"] == "mine")
    #expect(kept.extras["Bookshelves with positions"] == "sea (#3)")
  }

  @Test func `A Goodreads export has no number where its reader typed words`() throws {
    let kept = try book(
      "Title,ISBN,ISBN13,Exclusive Shelf\nEmma,\"=\"\"MyOwnShelf\"\"\",9.78014E+12,dropped\n")
    #expect(kept.entry.isbns.isEmpty && kept.entry.state == .other("dropped"))
    #expect(kept.extras["ISBN"] == "=\"MyOwnShelf\"" && kept.extras["ISBN13"] == "9.78014E+12")
  }

  @Test func `A Goodreads export says when it was read again, where a tool added that`() throws {
    let kept = try book(
      """
      Title,Exclusive Shelf,Date Read,read_dates
      Emma,read,2024/06/18,",2006-01-01;2024-06-17,2024-06-18"
      """)
    #expect(
      kept.entry.readings == [
        .init(finished: day(2006, 1, 1)),
        .init(started: day(2024, 6, 17), finished: day(2024, 6, 18)),
      ])
  }

  @Test(arguments: ["\u{FEFF}", "sep=;\n", ""])
  func `A Goodreads export may have gone through a spreadsheet`(start: String) throws {
    let (file, reading) = try read(
      start + "EXCLUSIVE SHELF;title ;Author;Binding\r\nto-read;\"A;B\";Ada;Paper\r\n")
    #expect(file.format == .goodreads)
    let kept = try #require(reading.books.first).kept
    #expect(kept.entry.title == "A;B" && kept.entry.state == .wanted)
    #expect(kept.extras["Binding"] == "Paper")
  }
}

@Suite struct `Other services' files` {
  @Test func `a StoryGraph file keeps quarter stars and every reading`() throws {
    let kept = try book(
      """
      Title,Authors,ISBN/UID,Read Status,Date Added,Last Date Read,Dates Read,Read Count,\
      Star Rating,Tags,Pace
      Tidewrack,"Ada Quill, Bo Reed",0123456789abcdef0123456789abcdef,did-not-finish,2021/03/14,\
      2021/03/20,"2021/03/15-2021/03/20, 2019/05, -2018/01/09",3,4.25,"sea, salt",slow
      """)
    let entry = kept.entry
    #expect(entry.rating == 4.25 && entry.state == .stopped && kept.shelves == ["sea", "salt"])
    #expect(
      entry.readings == [
        .init(finished: day(2018, 1, 9)), .init(finished: day(2019, 5)),
        .init(started: day(2021, 3, 15), finished: day(2021, 3, 20)),
      ])
    #expect(entry.number("storygraph") == "0123456789abcdef0123456789abcdef")
    #expect(kept.extras["Pace"] == "slow")
  }

  @Test func `the rows of a BookWyrm file for several shelves are read as one book`() throws {
    let (file, reading) = try read(
      """
      title,author_text,remote_id,isbn_13,start_date,finish_date,rating,shelf,shelf_name,shelf_date
      Tidewrack,Ada Quill,https://w.example/book/1,,2021-03-15,2021-03-20,4.5,read,Read,2021-03-20
      Tidewrack,Ada Quill,https://w.example/book/1,,2021-03-15,2021-03-20,4.5,sea-9,Sea,2021-03-21
      Saltmarsh,Bo Reed,https://w.example/book/2,,,,,to-read,To Read,2021-04-05
      """)
    #expect(file.format == .bookwyrm && reading.rows == 3)
    #expect(reading.books.map(\.lines) == [[2, 3], [4]])
    let kept = reading.books[0].kept
    #expect(kept.entry.state == .read && kept.shelves == ["Sea"])
    #expect(kept.entry.lists.map(\.rawValue) == ["read", "sea-9"])
    #expect(kept.entry.readings.count == 1)
  }

  @Test func `a LibraryThing file is read with tabs, in Latin-1 or UTF-16`() throws {
    let text = [
      ["Book Id", "Title", "Primary Author", "Review", "Rating", "Date Started", "Date Read"],
      ["9", "Le \"Quai\" de l&eacute;t\u{E9} &amp; Cie", "Quill, Ada", "", "4.5", "[2007-04]", ""],
    ].map { $0.joined(separator: "\t") }.joined(separator: "\n")
    let tagged = text.split(separator: "\n").enumerated().map {
      $0.element
        + ($0.offset == 0 ? "\tCollections\tISBN" : "\tYour library, To read\t[0141439602]")
    }.joined(separator: "\r\n")
    let latin = tagged.unicodeScalars.map { UInt8($0.value) }
    let wide = tagged.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [latin, [0xFF, 0xFE] + wide, wide] {
      let (file, reading) = try read(bytes)
      #expect(file.format == .librarything)
      let kept = try #require(reading.books.first).kept
      #expect(kept.entry.title == "Le \"Quai\" de l\u{E9}t\u{E9} & Cie")
      #expect(kept.entry.authors == ["Ada Quill"] && kept.entry.rating == 4.5)
      #expect(kept.entry.state == .wanted && kept.entry.isbns.count == 1)
      #expect(kept.entry.readings == [.init(started: day(2007, 4))])
    }
  }

  @Test func `a LibraryThing JSON file is read although its containers change their type`() throws {
    let (file, reading) = try read(
      """
      {"9":{"books_id":"9","title":"GrandPr&eacute;","authors":[{"lf":"Quill, Ada","fl":"Ada Quill"},
      []],"isbn":{"0":"0141439602","2":"9780141439600"},"rating":3.5,"tags":["sea"],
      "collections":["Currently reading"],"dateread":["2020-01-02"],"pages":"12 ","subject":[]},
      "10":{"books_id":"10","title":"Saltmarsh","isbn":[],"authors":[[]]},"11":{"books_id":"11"}}
      """)
    #expect(file.format == .librarything && reading.books.count == 2)
    let entry = reading.books[0].kept.entry
    #expect(entry.title == "GrandPr\u{E9}" && entry.authors == ["Ada Quill"])
    #expect(entry.isbns.count == 1 && entry.state == .reading && entry.rating == 3.5)
    #expect(reading.books[0].kept.extras == ["pages": "12"])
    #expect(reading.reasons == ["it has no title and no right ISBN"])
  }

  @Test func `Open Library, Openreads and calibre files are recognized by their columns`() throws {
    let (log, logged) = try read(
      """
      Work ID,Title,Authors,First Publish Year,Edition ID,Bookshelf,My Ratings,Subjects
      OL1W,Tidewrack,Ada Quill | Bo Reed,1995,OL2M,Already Read,5,Sea
      """)
    #expect(log.format == .openLibrary)
    #expect(logged.books[0].kept.entry.authors == ["Ada Quill", "Bo Reed"])
    #expect(logged.books[0].kept.entry.state == .read)
    let (app, kept) = try read(
      """
      title,author,status,deleted,rating,isbn,olid,tags,book_format,readings
      Tidewrack,Ada Quill,finished,false,4.5,,OL2M,sea|||||salt,ebook,2020-01-02T10:00:00.000|2020-01-05T10:00:00.000|60;|2021-01-01T00:00:00.000|
      Gone,Bo,planned,true,,,,,,
      """)
    #expect(app.format == .openreads && kept.passed.count == 1 && kept.rows == 2)
    #expect(kept.books[0].kept.shelves == ["sea", "salt"])
    #expect(kept.books[0].kept.entry.readings.count == 2)
    let (catalogue, shelf) = try read(
      """
      authors,title,rating,identifiers,pubdate,tags,size,#read
      Ada Quill & Bo Reed,Tidewrack,4.0,"goodreads:77,isbn:9780141439600",0101-01-01T00:00:00,"a, b",123,True
      """)
    #expect(catalogue.format == .calibre)
    let entry = shelf.books[0].kept.entry
    #expect(entry.authors.count == 2 && entry.isbns.count == 1 && entry.published == nil)
    #expect(shelf.books[0].kept.extras["#read"] == "True")
  }

  @Test func `any table with titles is understood by its column names`() throws {
    let (file, reading) = try read(
      "Titel;Autor;Status;Stars;Finished;Where\nTidewrack;Quill, Ada;dnf;3,5;3.2.2021;attic\n")
    #expect(file.format == .generic)
    let kept = reading.books[0].kept
    #expect(kept.entry.authors == ["Ada Quill"] && kept.entry.rating == 3.5)
    #expect(kept.entry.state == .stopped && kept.extras == ["Where": "attic"])
    #expect(kept.entry.readings == [.init(finished: day(2021, 2, 3))])
  }

  @Test(arguments: [
    "0-14-143960-2\n9780141439587\n\n123\n", "9780141439600\r\n978-0-14-143958-7\r\n123",
  ])
  func `a text with one ISBN a line is read as a list`(text: String) throws {
    let (file, reading) = try read(text)
    #expect(file.format == .isbn)
    #expect(reading.books.map { $0.kept.entry.isbns.count } == [1, 1])
    #expect(reading.reasons == ["it is no right ISBN"])
  }

  @Test func `a table with only an ISBN column is read as a list`() throws {
    let (file, reading) = try read("ISBN\n9780141439600\nnone\n")
    #expect(file.format == .generic && reading.books.count == 1 && reading.faults.count == 1)
  }
}
