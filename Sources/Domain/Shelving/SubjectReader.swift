/// Reads one subject in whichever scheme it is written: a code of BISAC, a class of the Library of
/// Congress, a number of Dewey, a path of BISAC's names, a shelf, a heading with subdivisions, or a
/// vendor's own word.
struct SubjectReader {
  private let subject: String
  private let table: GenreTable

  init(_ subject: String, in table: GenreTable) {
    self.subject = String(subject.unicodeScalars.prefix(500))
    self.table = table
  }

  func reading() -> SubjectReading {
    let text = bare
    guard !text.isEmpty else { return SubjectReading() }
    if let code = SubjectCode(text, in: table) { return code.reading }
    let separator: Character? =
      text.utf8.contains(0x7C) ? "|" : text.utf8.contains(0x2F) && text.contains(" / ") ? "/" : nil
    if let separator {
      let parts = text.split(separator: separator).map { normal(String($0)) }
        .filter { !$0.isEmpty }
      if parts.count > 1 { return path(parts) }
    }
    let whole = normal(text)
    // A vendor's or a shelf's word may hold signs that would part a heading.
    if table.names[whole] != nil, !text.contains("--") { return path([whole]) }
    return heading(divided(text).map(normal).filter { !$0.isEmpty })
  }

  /// Without the words that shelves begin or end with.
  private var bare: String {
    var text = Substring(subject)
    for prefix in ["Category: ", "Browsing: "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    if text.hasSuffix(" (Bookshelf)") { text = text.dropLast(" (Bookshelf)".count) }
    return String(text.drop { $0 == " " })
  }

  private func divided(_ text: String) -> [String] {
    guard text.utf8.contains(0x2D) else { return [text] }
    var parts: [String] = [""]
    var dashes = 0
    for character in text {
      if character == "-" {
        dashes += 1
        continue
      }
      if dashes >= 2 { parts.append("") } else if dashes == 1 { parts[parts.count - 1] += "-" }
      dashes = 0
      parts[parts.count - 1].append(character)
    }
    return parts
  }
}

extension SubjectReader {
  /// `JUVENILE FICTION / Fantasy & Magic`, or one word alone.
  private func path(_ parts: [String]) -> SubjectReading {
    var reading = SubjectReading()
    var head = parts[0]
    for (prefix, readers) in [
      ("juvenile ", Readership.children), ("children s ", .children), ("picture book ", .children),
      ("young adult ", .youngAdult), ("teen ", .youngAdult),
    ] where head.hasPrefix(prefix) {
      reading.readers = readers
      head = String(head.dropFirst(prefix.count))
    }
    if ["fiction", "nonfiction", "non fiction", "literature"].contains(head), parts.count > 1 {
      let kind: Genre.Kind = head == "fiction" ? .fiction : .nonfiction
      reading.kind = head == "literature" ? nil : kind
      reading.genres = genres(in: parts.dropFirst(), inside: head, of: kind)
      if reading.genres.isEmpty { reading.genres = table.names[head] ?? [] }
      return reading
    }
    let general = table.names[parts[0]] ?? table.names[head] ?? []
    let special = parts.dropFirst().flatMap { part in
      general.flatMap { table.names["\(table.genres[$0].id)/\(part)"] ?? [] }
    }
    reading.genres = special.isEmpty ? general : special.distinct
    reading.kind = commonKind(of: reading.genres)
    if reading.readers == nil, isForChildren(parts[0]) { reading.readers = .children }
    return reading
  }

  private func genres(
    in parts: ArraySlice<String>, inside head: String, of kind: Genre.Kind
  ) -> [Int] {
    parts.flatMap { table.names["\(head)/\($0)"] ?? table.names[$0] ?? [] }.distinct.filter {
      table.genres[$0].kind != (kind == .fiction ? .nonfiction : .fiction)
        // What says no more than the head is left to it.
        && !["fiction", "nonfiction"].contains(table.genres[$0].id)
    }
  }

  /// `Great Britain -- History -- Juvenile fiction`
  private func heading(_ parts: [String]) -> SubjectReading {
    guard let topic = parts.first else { return SubjectReading() }
    var reading = SubjectReading()
    var divisions = Array(parts.dropFirst())
    for (index, division) in divisions.enumerated() where division.hasPrefix("juvenile ") {
      reading.readers = .children
      divisions[index] = String(division.dropFirst("juvenile ".count))
    }
    if isForChildren(topic) { reading.readers = .children }
    let told = divisions.flatMap { table.subdivisions[$0] ?? [] }
    if divisions.contains(where: { $0 == "history and criticism" || $0.hasPrefix("criticism") }) {
      reading.genres = told.filter { table.genres[$0].kind == .nonfiction }.distinct
      reading.kind = .nonfiction
      return reading
    }
    let about = genres(of: topic)
    let isInvented =
      divisions.contains("fiction") || told.contains { table.genres[$0].kind == .fiction }
    if isInvented {
      let past = divisions.contains("history") ? table.numbers["historical-fiction"] : nil
      reading.genres = (about + told + [past].compactMap(\.self)).distinct.filter {
        table.genres[$0].kind != .nonfiction
      }
      reading.kind = .fiction
      return reading
    }
    reading.genres = (about + told).distinct
    if reading.genres.isEmpty { reading.genres = genres(amongWordsOf: topic) }
    reading.kind = commonKind(of: reading.genres)
    // A poem or a play about something is not a book of facts about it.
    if told.contains(where: { table.genres[$0].kind == nil }) {
      reading.genres = reading.genres.filter { table.genres[$0].kind == nil }
      reading.kind = nil
    }
    return reading
  }

  /// Books about children are under "Children" alone.
  private func isForChildren(_ name: String) -> Bool {
    name.hasPrefix("children s ") || name.hasPrefix("children and young adult")
      || name.hasSuffix(" for children") || name == "beginning reader"
  }

  /// By its whole name, the part before a comma, or its last words.
  private func genres(of topic: String) -> [Int] {
    if let known = table.names[topic] { return known }
    let words = topic.split(separator: " ")
    for count in [2, 1] where words.count > count {
      let end = words.suffix(count).joined(separator: " ")
      if let known = table.endings[end] { return known }
    }
    // `Fables, Greek` and `Essays, English` are written the other way round.
    let first = subject.prefix { $0 != "," && $0 != "(" }
    if first.endIndex < subject.endIndex, let known = table.names[normal(String(first))] {
      return known
    }
    return []
  }

  private func genres(amongWordsOf topic: String) -> [Int] {
    topic.split(separator: " ").flatMap { table.words[String($0)] ?? [] }.distinct
  }

  private func commonKind(of genres: [Int]) -> Genre.Kind? {
    let kinds = Set(genres.map { table.genres[$0].kind })
    return kinds.count == 1 ? kinds.first ?? nil : nil
  }
}

/// Without case, accents and punctuation, as `genres.txt` writes names.
func normal(_ text: String) -> String {
  plainNormal(text) ?? anyNormal(text)
}

/// The same for letters without marks, which most names are written in; nil for others.
private func plainNormal(_ text: String) -> String? {
  var result: [UInt8] = []
  result.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    switch byte {
    case 0x61...0x7A, 0x30...0x39: result.append(byte)
    case 0x41...0x5A: result.append(byte + 32)
    // `&`
    case 0x26, 0x80...: return nil
    default: if let last = result.last, last != 0x20 { result.append(0x20) }
    }
  }
  if result.last == 0x20 { result.removeLast() }
  return String(decoding: result, as: UTF8.self)
}

private func anyNormal(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "a"..."z", "0"..."9": result.unicodeScalars.append(scalar)
    case "A"..."Z": result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
    case "&": result += result.hasSuffix(" ") || result.isEmpty ? "and " : " and "
    case "à"..."å": result += "a"
    case "è"..."ë", "É", "È": result += "e"
    case "ì"..."ï": result += "i"
    case "ò"..."ö": result += "o"
    case "ù"..."ü": result += "u"
    case "ç": result += "c"
    default:
      if scalar.properties.isAlphabetic {
        result += scalar.properties.lowercaseMapping
      } else if !result.isEmpty, !result.hasSuffix(" ") {
        result += " "
      }
    }
  }
  if result.hasSuffix(" ") { result.removeLast() }
  return result
}

extension Array where Element: Hashable {
  /// Each once, in the order of the first appearance.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
