/// A subject that is a number in somebody's scheme and not a name.
struct SubjectCode {
  let reading: SubjectReading

  init?(_ text: String, in table: GenreTable) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, bytes.count <= 40 else { return nil }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self.init(decimal: text, in: table)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      let letters = bytes.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }.count
      let digits = bytes.dropFirst(letters).prefix {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }.count
      if letters == 3, digits == 6, bytes.count == 9 {
        self.init(code: text, in: table)
      } else if letters <= 3, Self.endsWell(bytes.dropFirst(letters + digits), digits) {
        self.init(class: text, letters: letters, digits: digits, in: table)
      } else {
        return nil
      }
    case UInt8(ascii: "["):
      guard text.lowercased() == "[fic]" else { return nil }
      self.init(decimals: ["fic"], in: table)
    default: return nil
    }
  }

  /// After the number of a class comes nothing, a decimal or a cutter; a word is not a class.
  private static func endsWell(_ rest: ArraySlice<UInt8>, _ digits: Int) -> Bool {
    guard let next = rest.first else { return true }
    return digits > 0 && (next == UInt8(ascii: ".") || next == UInt8(ascii: " "))
  }

  /// `FIC022040`
  private init?(code: String, in table: GenreTable) {
    var reading = SubjectReading()
    for length in stride(from: code.count, through: 3, by: -1) {
      guard let known = table.codes[String(code.prefix(length))] else { continue }
      reading.genres = known
      break
    }
    guard !reading.genres.isEmpty else { return nil }
    switch code.prefix(3) {
    case "FIC": reading.kind = .fiction
    case "JUV": (reading.kind, reading.readers) = (.fiction, .children)
    case "YAF": (reading.kind, reading.readers) = (.fiction, .youngAdult)
    case "JNF": (reading.kind, reading.readers) = (.nonfiction, .children)
    case "YAN": (reading.kind, reading.readers) = (.nonfiction, .youngAdult)
    case "CGN", "DRA", "HUM", "POE": break
    default: reading.kind = .nonfiction
    }
    // Animals in a story are no natural history.
    if let kind = reading.kind {
      let fitting = reading.genres.filter {
        table.genres[$0].kind == nil || table.genres[$0].kind == kind
      }
      reading.genres = fitting.isEmpty ? table.numbers[kind.rawValue].map { [$0] } ?? [] : fitting
    }
    self.reading = reading
  }

  /// `PR`, `PS3515.E37`, `QA76.73`
  private init?(class text: String, letters: Int, digits: Int, in table: GenreTable) {
    let name = String(text.prefix(letters))
    // Of three letters there are only a few, and all of them are laws or lands of Europe.
    if letters == 3, !name.hasPrefix("K"), !["DAW", "DJK"].contains(name) { return nil }
    var genres: [Int] = []
    if let number = Int(text.dropFirst(letters).prefix(digits)) {
      let fitting = (table.ranges[name] ?? []).filter { $0.numbers.contains(number) }
      let least = fitting.map(\.numbers.count).min()
      genres = fitting.filter { $0.numbers.count == least }.map(\.genre)
    }
    for length in stride(from: letters, through: 1, by: -1) where genres.isEmpty {
      genres = table.classes[String(name.prefix(length))] ?? []
    }
    guard !genres.isEmpty else { return nil }
    var reading = SubjectReading()
    reading.genres = genres
    let kinds = Set(genres.map { table.genres[$0].kind })
    reading.kind = kinds.count == 1 ? kinds.first ?? nil : nil
    self.reading = reading
  }

  /// `813.54`, `J 599`
  private init?(decimal text: String, in table: GenreTable) {
    let digits = text.prefix { $0.isNumber }
    guard digits.count == 3, text.dropFirst(3).allSatisfy({ $0 == "." || $0.isNumber || $0 == "/" })
    else { return nil }
    var keys = stride(from: text.count, through: 3, by: -1).map { String(text.prefix($0)) }
    if digits.hasPrefix("8"), let form = digits.last { keys.append("8.\(form)") }
    keys += [String(digits.prefix(2)), String(digits.prefix(1))]
    self.init(decimals: keys, in: table)
  }

  private init?(decimals keys: [String], in table: GenreTable) {
    guard let key = keys.first(where: { table.decimals[$0] != nil }),
      let genres = table.decimals[key]
    else { return nil }
    var reading = SubjectReading()
    reading.genres = genres
    let kinds = Set(genres.map { table.genres[$0].kind })
    reading.kind = kinds.count == 1 ? kinds.first ?? nil : nil
    self.reading = reading
  }
}
