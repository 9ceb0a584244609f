import Circulation
import ProviderKit
import XML

/// Why there is no book in a file.
enum RecordFault: Error, Sendable, Hashable, CustomStringConvertible {
  case unreadable(String)
  /// Not a record of a book, or of one whose number is none.
  case noBook

  var description: String {
    switch self {
    case .unreadable(let why): why
    case .noBook: "no record of a book"
    }
  }
}

extension Record {
  /// The record in these bytes: quickly where it is written as nearly all are, else by the parser
  /// that reads anything. Bytes that are not in the encoding they claim are mended, and
  /// `wasMended`.
  static func reading(_ bytes: [UInt8]) throws(RecordFault) -> (record: Record, wasMended: Bool) {
    if let graph = PlainReading.graph(of: bytes) {
      guard let record = Record(graph) else { throw .noBook }
      return (record, false)
    }
    let (graph, wasMended) = try general(bytes)
    guard let record = Record(graph) else { throw .noBook }
    return (record, wasMended)
  }

  private static func general(_ bytes: [UInt8]) throws(RecordFault) -> (Graph, Bool) {
    do throws(XMLError) { return (try EventReading.graph(of: bytes, .strict), false) } catch {
      var options = XMLOptions.strict
      (options.encodingFaults, options.entities) = (.repaired, .xhtml)
      guard let graph = try? EventReading.graph(of: bytes, options) else {
        throw .unreadable("\(error)")
      }
      return (graph, true)
    }
  }

  /// Nil where the graph is of no book.
  init?(_ graph: Graph) {
    guard let (book, number) = Self.book(in: graph) else { return nil }
    self.init(number: number)
    var files: [Int] = []
    graph.forEachProperty(of: book) { property in
      switch property.term {
      case .title: titles += graph.words(property.value)
      case .alternative: alternatives += graph.words(property.value)
      case .creator: credits += graph.credits(.creator, property.value)
      case .contributor: credits += graph.credits(.relator("ctb"), property.value)
      case .role: credits += graph.credits(.relator(graph.string(property.code)), property.value)
      case .language: languages += graph.words(property.value)
      case .subject: addSubject(property.value, graph)
      case .bookshelf: bookshelves += graph.words(property.value)
      case .type: type = graph.words(property.value).first ?? graph.lastWord(property.value)
      case .issued: issued = graph.told(property.value)
      case .rights: rights = graph.told(property.value)
      case .publisher: publisher = graph.told(property.value)
      case .downloads: downloads = graph.words(property.value).first.flatMap { Int($0) }
      case .marc:
        let tag = graph.string(property.code)
        marc += graph.words(property.value).map { Field(tag: tag, text: $0) }
      case .hasFormat: files += graph.things(meant: property.value)
      default: break
      }
    }
    // In flat files the bodies stand beside the book, and may be all there is.
    let listed = Set(files)
    files += graph.things.indices.filter { thing in
      graph.things[thing].term == .file && !listed.contains(thing)
        && graph.isOf(thing, book: graph.things[book].key)
    }
    self.files = (listed.count < files.count ? files.distinct : files).compactMap(graph.file)
  }

  private mutating func addSubject(_ value: Graph.Value, _ graph: Graph) {
    guard let words = graph.words(value).first else { return }
    let scheme = graph.scheme(of: value)
    // Without a word on what it is, a class is known by its looks.
    if scheme == "LCC" || (scheme == nil && Self.looksLikeClass(words)) {
      classes.append(words)
    } else {
      headings.append(words)
    }
  }

  static func looksLikeClass(_ text: String) -> Bool {
    let letters = text.prefix { $0.isASCII && $0.isUppercase }
    guard (1...3).contains(letters.count) else { return false }
    return text.dropFirst(letters.count).allSatisfy { $0.isNumber || $0 == "." }
  }

  /// The book with the most said about it. Others may be mentioned.
  private static func book(in graph: Graph) -> (Int, Int)? {
    for thing in graph.things.indices where graph.things[thing].term == .ebook {
      guard let number = number(in: graph, graph.things[thing].key) else { continue }
      return (thing, number)
    }
    // Some serialisers write a thing and its kind apart.
    for thing in graph.things.indices where graph.things[thing].term == .description {
      if let number = number(in: graph, graph.things[thing].key),
        graph.first(.title, of: thing) != nil
      {
        return (thing, number)
      }
    }
    return nil
  }

  private static func number(in graph: Graph, _ key: Graph.Piece) -> Int? {
    guard !key.isLocal, graph.begins(key, with: books) else { return nil }
    return BookNumber(graph.string(key.dropping(first: books.count)))?.value
  }

  private static let books = Array("ebooks/".utf8)
}

/// The number of a book. Two are placeholders, and no book.
struct BookNumber: Sendable, Hashable {
  let value: Int

  init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.count <= 9,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), number != 0, number != 999_999, String(number) == text
    else { return nil }
    value = number
  }
}

extension Graph {
  /// The text with its blanks taken off; none for an empty one.
  fileprivate func words(_ value: Value) -> [String] {
    guard let text = text(value)?.trimmed, !text.isEmpty else { return [] }
    return [text]
  }

  /// Old files write `None` where there is nothing.
  fileprivate func told(_ value: Value) -> String? {
    words(value).first { $0 != "None" }
  }

  /// `http://purl.org/dc/dcmitype/Text` is `Text`.
  fileprivate func lastWord(_ value: Value) -> String? {
    guard case .reference(let key) = value else { return nil }
    var bytes = self[key]
    while bytes.last == 0x2F { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    let start = bytes.lastIndex(of: 0x2F).map { $0 + 1 } ?? bytes.startIndex
    return String(decoding: bytes[start...], as: UTF8.self)
  }

  /// `LCSH`, `LCC`: the end of the address of what it is a member of.
  fileprivate func scheme(of value: Value) -> String? {
    things(meant: value).lazy.compactMap { first(.memberOf, of: $0).flatMap(lastWord) }.first
  }

  fileprivate func things(meant value: Value) -> [Int] {
    switch value {
    case .literal: []
    case .thing(let thing): [Int(thing)]
    case .reference(let key): things(under: key)
    }
  }

  // MARK: - People

  fileprivate func credits(_ role: Role, _ value: Value) -> [Record.Credit] {
    switch value {
    case .literal(let text):
      let name = string(text).trimmed
      return name.isEmpty
        ? [] : [Record.Credit(role: role, agent: Record.Agent(name: name))]
    case .thing(let thing):
      if let agent = agent(Int(thing)) { return [Record.Credit(role: role, agent: agent)] }
      // Mentioned here, described elsewhere.
      return credits(role, .reference(things[Int(thing)].key))
    case .reference(let key):
      guard !key.isEmpty, let agent = things(under: key).lazy.compactMap(agent).first else {
        return []
      }
      return [Record.Credit(role: role, agent: agent, isByReference: true)]
    }
  }

  private func agent(_ thing: Int) -> Record.Agent? {
    guard let name = text(.name, of: thing)?.trimmed, !name.isEmpty else { return nil }
    var agent = Record.Agent(name: name)
    agent.id = string(things[thing].key).split(separator: "/").last.flatMap { Int($0) }
    agent.aliases = values(.alias, of: thing).flatMap(words)
    agent.born = text(.birth, of: thing).flatMap { Int($0.trimmed) }.map { Record.Year(number: $0) }
    agent.died = text(.death, of: thing).flatMap { Int($0.trimmed) }.map { Record.Year(number: $0) }
    return agent
  }

  // MARK: - Files

  fileprivate func isOf(_ thing: Int, book: Piece) -> Bool {
    values(.isFormatOf, of: thing).contains { value in
      if case .reference(let key) = value { isSame(key, book) } else { false }
    }
  }

  fileprivate func file(_ thing: Int) -> Record.File? {
    let key = things[thing].key
    guard !key.isEmpty else { return nil }
    var file = Record.File(address: address(key), types: [])
    var (extents, dates, latest) = (0, 0, 0)
    var sizes: [Int] = []
    // A book has a dozen files, and most records are little else.
    var place = start(of: thing)
    while let property = next(&place) {
      switch property.term {
      case .format:
        if let type = text(property.value)?.trimmed, !type.isEmpty { file.types.append(type) }
      case .extent:
        if let size = number(property.value) {
          extents += 1
          sizes.append(size)
        }
      case .modified:
        guard let date = text(property.value)?.trimmed else { break }
        if file.modified.map({ $0 < date }) ?? true { (file.modified, latest) = (date, dates) }
        dates += 1
      default: break
      }
    }
    // Some keep what they were before. Only as many sizes as dates can be told apart.
    if extents == dates, dates > 0 { file.bytes = sizes[latest] }
    return file
  }

  private func number(_ value: Value) -> Int? {
    guard let piece = piece(value) else { return nil }
    var number = 0
    for byte in self[piece] {
      guard piece.range.count < 18, (0x30...0x39).contains(byte) else {
        return Int(string(piece).trimmed)
      }
      number = number * 10 + Int(byte - 0x30)
    }
    return piece.isEmpty ? nil : number
  }

  /// In full, and by https: the key has lost the site.
  private func address(_ key: Piece) -> String {
    let text = key.isLocal ? "_:" + string(key) : string(key)
    return text.holds("://") ? text : "https://www.gutenberg.org/" + text
  }
}

extension StringProtocol {
  var trimmed: String { String(self).trimmingBlanks }
}
