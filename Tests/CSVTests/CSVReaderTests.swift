import Testing

@testable import CSV

@Suite struct `Comma-separated text` {
  private func records(_ text: String) throws -> [[String]] {
    var reader = CSVReader(Array(text.utf8))
    var all: [[String]] = []
    while let record = try reader.next() { all.append(record.fields) }
    return all
  }

  @Test(arguments: ["a,b\nc,d", "a,b\r\nc,d\r\n", "a,b\rc,d\r", "\u{feff}a,b\n\n\nc,d\n"])
  func `Comma-separated text is read with any line end`(_ text: String) throws {
    #expect(try records(text) == [["a", "b"], ["c", "d"]])
  }

  @Test func `Comma-separated text keeps commas, quotes and line ends inside quotes`() throws {
    #expect(
      try records("\"a,b\",\"say \"\"no\"\"\",\"x\r\ny\"\n") == [["a,b", "say \"no\"", "x\r\ny"]])
  }

  @Test func `Comma-separated text has empty fields at both ends`() throws {
    #expect(try records(",a,\n") == [["", "a", ""]])
  }

  @Test func `Comma-separated text takes a quote in the middle of a field as it is`() throws {
    #expect(try records("12\" disc,x") == [["12\" disc", "x"]])
  }

  @Test func `Comma-separated text is empty when there is nothing`() throws {
    #expect(try records("") == [])
    #expect(try records("\n\r\n") == [])
  }

  @Test func `Comma-separated text goes on after a bad record and counts lines`() throws {
    var reader = CSVReader(Array("a\n\"b\"c,d\n\"x\ny\"\nz\n".utf8))
    #expect(try reader.next()?.line == 1)
    let error = #expect(throws: CSVError.self) { try reader.next() }
    #expect(error == CSVError(line: 2, reason: .textAfterQuote))
    #expect(try reader.next() == .init(fields: ["x\ny"], line: 3))
    #expect(try reader.next() == .init(fields: ["z"], line: 5))
  }

  @Test func `Comma-separated text loses one line to a quote that is never closed`() throws {
    var reader = CSVReader(Array("\"open,1\nb,2\n".utf8))
    #expect(throws: CSVError(line: 1, reason: .openQuote)) { try reader.next() }
    #expect(try reader.next()?.fields == ["b", "2"])
  }

  @Test func `Comma-separated text loses one line to a quote that ends rows further down`() throws {
    let text = "\"open,1\nb,2\n\"c\",3\n"
    var reader = CSVReader(Array(text.utf8))
    #expect(throws: CSVError(line: 1, reason: .textAfterQuote)) { try reader.next() }
    #expect(Array(text.utf8)[reader.passed] == Array("\"open,1".utf8)[...])
    #expect(try reader.next() == .init(fields: ["b", "2"], line: 2))
    #expect(Array(text.utf8)[reader.passed] == Array("b,2".utf8)[...])
    #expect(try reader.next() == .init(fields: ["c", "3"], line: 3))
  }

  @Test func `Comma-separated text takes quotes as they are where the program knows none`() throws {
    var reader = CSVReader(Array("\"a\tb\"c\n".utf8), separator: 0x09, quotes: .plain)
    #expect(try reader.next()?.fields == ["\"a", "b\"c"])
  }

  @Test func `Comma-separated text refuses bytes that are not UTF-8`() throws {
    var reader = CSVReader([0x61, 0xFF, 0x0A, 0x62])
    #expect(throws: CSVError(line: 1, reason: .invalidUTF8)) { try reader.next() }
    #expect(try reader.next()?.fields == ["b"])
  }

  @Test func `Comma-separated text keeps to its caps`() throws {
    var limits = CSVReader.Limits()
    (limits.fieldBytes, limits.fields) = (4, 2)
    var reader = CSVReader(Array("abcde\na,b,c\n\"abcde\"\nok".utf8), limits: limits)
    #expect(throws: CSVError(line: 1, reason: .fieldTooLong)) { try reader.next() }
    #expect(throws: CSVError(line: 2, reason: .tooManyFields)) { try reader.next() }
    #expect(throws: CSVError(line: 3, reason: .fieldTooLong)) { try reader.next() }
    #expect(try reader.next()?.fields == ["ok"])
  }

  @Test func `Comma-separated text has columns that are found by name in any order`() throws {
    var table = try CSVTable(Array("Title A, year-a ,x\n Dune ,1965\n".utf8))
    let row = try #require(try table.next())
    #expect(row["title_a"] == "Dune")
    #expect(row["Year_A"] == "1965")
    #expect(row["x"] == nil)
    #expect(row["nothing"] == nil)
    #expect(table.has("X"))
  }

  @Test func `Comma-separated text refuses a row with more fields than the header has`() throws {
    var table = try CSVTable(Array("a,b\n1,2,3\n1,2,\n".utf8))
    #expect(throws: CSVError(line: 2, reason: .wrongCount)) { try table.next() }
    #expect(try table.next()?["b"] == "2")
  }

  @Test func `Comma-separated text needs a header`() {
    #expect(throws: CSVError(line: 1, reason: .noHeader)) { try CSVTable([]) }
  }
}
