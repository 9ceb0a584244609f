import ProviderKit
import XML

/// Why there is no book in a file.
enum RecordFault: Error, Sendable, Hashable {
  case unreadable(String)
  /// Not a record of a book, or of one whose number is none.
  case noBook
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
      case .role: credits += graph.credits(.relator(property.code), property.value)
      case .language: languages += graph.words(property.value)
      case .subject: addSubject(property.value, graph)
      case .bookshelf: bookshelves += graph.words(property.value)
      case .type: type = graph.words(property.value).first ?? graph.lastWord(property.value)
      case .issued: issued = graph.told(property.value)
      case .rights: rights = graph.told(property.value)
      case .publisher: publisher = graph.told(property.value)
      case .downloads: downloads = graph.words(property.value).first.flatMap { Int($0) }
      case .marc:
        marc += graph.words(property.value).map { Field(tag: property.code, text: $0) }
      case .hasFormat: files += graph.things(meant: property.value)
      default: break
      }
    }
    // In flat files the bodies stand beside the book, and may be all there is.
    files += graph.things.indices.filter { thing in
      graph.things[thing].term == .file && graph.isOf(thing, book: graph.things[book].key)
    }
    var seen: Set<Int> = []
    self.files = files.filter { seen.insert($0).inserted }.compactMap { graph.file($0) }
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
      guard let number = number(in: graph.things[thing].key) else { continue }
      return (thing, number)
    }
    // Some serialisers write a thing and its kind apart.
    for thing in graph.things.indices where graph.things[thing].term == .description {
      if let number = number(in: graph.things[thing].key), graph.first(.title, of: thing) != nil {
        return (thing, number)
      }
    }
    return nil
  }

  private static func number(in key: String) -> Int? {
    guard key.hasPrefix("ebooks/") else { return nil }
    return BookNumber(key.dropFirst(7))?.value
  }
}

/// The number of a book. Two are placeholders, and no book.
struct BookNumber: Sendable, Hashable {
  let value: Int

  init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber }),
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
    return key.split(separator: "/").last.map(String.init)
  }

  /// `LCSH`, `LCC`: the end of the address of what it is a member of.
  fileprivate func scheme(of value: Value) -> String? {
    things(meant: value).lazy.compactMap { first(.memberOf, of: $0).flatMap(lastWord) }.first
  }

  fileprivate func things(meant value: Value) -> [Int] {
    switch value {
    case .literal: []
    case .thing(let thing): [thing]
    case .reference(let key): things(under: key)
    }
  }

  // MARK: - People

  fileprivate func credits(_ role: Role, _ value: Value) -> [Record.Credit] {
    switch value {
    case .literal(let name):
      let name = name.trimmed
      return name.isEmpty
        ? [] : [Record.Credit(role: role, agent: Record.Agent(name: name))]
    case .thing(let thing):
      if let agent = agent(thing) { return [Record.Credit(role: role, agent: agent)] }
      // Mentioned here, described elsewhere.
      return credits(role, .reference(things[thing].key))
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
    agent.id = things[thing].key.split(separator: "/").last.flatMap { Int($0) }
    agent.aliases = values(.alias, of: thing).flatMap(words)
    agent.born = text(.birth, of: thing).flatMap { Int($0.trimmed) }.map { Record.Year(number: $0) }
    agent.died = text(.death, of: thing).flatMap { Int($0.trimmed) }.map { Record.Year(number: $0) }
    return agent
  }

  // MARK: - Files

  fileprivate func isOf(_ thing: Int, book: String) -> Bool {
    values(.isFormatOf, of: thing).contains { $0 == .reference(book) }
  }

  fileprivate func file(_ thing: Int) -> Record.File? {
    guard !things[thing].key.isEmpty else { return nil }
    var file = Record.File(address: Self.address(things[thing].key), types: [])
    var (extents, dates): ([Int], [String]) = ([], [])
    forEachProperty(of: thing) { property in
      switch property.term {
      case .format:
        if let type = text(property.value)?.trimmed, !type.isEmpty { file.types.append(type) }
      case .extent:
        if let size = text(property.value).flatMap({ Int($0.trimmed) }) {
          extents.append(size)
        }
      case .modified: if let date = text(property.value)?.trimmed { dates.append(date) }
      default: break
      }
    }
    // Some keep what they were before. Only as many sizes as dates can be told apart.
    file.modified = dates.max()
    if extents.count == dates.count, let latest = dates.indices.max(by: { dates[$0] < dates[$1] }) {
      file.bytes = extents[latest]
    }
    return file
  }

  /// In full, and by https: the key has lost the site.
  private static func address(_ key: String) -> String {
    key.holds("://") ? key : "https://www.gutenberg.org/" + key
  }
}

extension StringProtocol {
  var trimmed: String { String(self).trimmingBlanks }
}
