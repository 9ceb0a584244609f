import CSV

/// Rows of `pg_catalog.csv`: good for finding books, and silent about files, rights and liking.
enum TableReading {
  /// The names of its columns, without which it is some other table.
  static let columns = ["Text#", "Type", "Title", "Authors"]

  static func isTable(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    return head.hasPrefix("Text#,") || head.hasPrefix("\u{FEFF}Text#,")
      || head.hasPrefix("\"Text#\",")
  }

  /// Nil where the number is that of no book.
  static func record(_ row: CSVTable.Row) -> Record? {
    guard let number = row["Text#"].flatMap({ BookNumber($0) }) else { return nil }
    var record = Record(number: number.value)
    record.titles = [row["Title"]].compactMap(\.self)
    record.type = row["Type"]
    record.issued = row["Issued"].flatMap { $0 == "None" ? nil : $0 }
    record.languages = list(row["Language"])
    record.credits = list(row["Authors"]).map(credit)
    record.headings = list(row["Subjects"])
    record.classes = list(row["LoCC"])
    record.bookshelves = list(row["Bookshelves"])
    record.publisher = "Project Gutenberg"
    return record
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ";").map(\.trimmed).filter { !$0.isEmpty }
  }

  /// `Tenniel, John, 1820-1914 [Illustrator]`, `Plato, 428? BCE-348? BCE`
  static func credit(_ text: String) -> Record.Credit {
    var name = text
    var role = Role.creator
    if name.hasSuffix("]"), let open = name.lastIndex(of: "[") {
      role = Role(word: name[name.index(after: open)...].dropLast().trimmed)
      name = name[..<open].trimmed
    }
    var agent = Record.Agent(name: name)
    if let comma = name.lastIndex(of: ","),
      let years = Years(name[name.index(after: comma)...].trimmed)
    {
      agent.name = name[..<comma].trimmed
      (agent.born, agent.died) = (years.born, years.died)
    }
    return Record.Credit(role: role, agent: agent)
  }

  /// Both ends of a life; either may be missing, not both.
  struct Years: Sendable, Hashable {
    let born: Record.Year?
    let died: Record.Year?

    init?(_ text: String) {
      let halves = text.split(separator: "-", omittingEmptySubsequences: false).map(\.trimmed)
      guard halves.count == 2 else { return nil }
      let years = halves.map { $0.isEmpty ? nil : Self.year($0) }
      guard zip(halves, years).allSatisfy({ $0.isEmpty || $1 != nil }),
        years.contains(where: { $0 != nil })
      else { return nil }
      (born, died) = (years[0], years[1])
    }

    /// `428? BCE` is −427: there is no year 0 between 1 BCE and 1.
    private static func year(_ text: String) -> Record.Year? {
      var rest = text[...]
      var isBefore = false
      for mark in [" BCE", " BC", " B.C."] where rest.hasSuffix(mark) {
        rest = rest.dropLast(mark.count)
        isBefore = true
        break
      }
      let isUncertain = rest.hasSuffix("?")
      if isUncertain { rest = rest.dropLast() }
      guard !rest.isEmpty, rest.count <= 4, rest.allSatisfy({ $0.isASCII && $0.isNumber }),
        let number = Int(rest)
      else { return nil }
      return Record.Year(number: isBefore ? 1 - number : number, isUncertain: isUncertain)
    }
  }
}
