/// What a record says, without the order in which it says it: things, and properties of things.
///
/// Texts stay where they are in the record. It has hundreds of them, and few are ever asked for.
struct Graph: Sendable {
  /// Some of the bytes.
  struct Piece: Sendable {
    var range: Range<Int32> = 0..<0
    /// A name that means something within its file alone, and so is no address.
    var isLocal = false

    var isEmpty: Bool { range.isEmpty }

    init(_ range: Range<Int>) {
      self.range = Int32(range.lowerBound)..<Int32(range.upperBound)
    }

    init() {}

    func dropping(first count: Int) -> Piece {
      var rest = self
      rest.range = min(range.lowerBound + Int32(count), range.upperBound)..<range.upperBound
      return rest
    }
  }

  enum Value: Sendable {
    case literal(Piece)
    case thing(Int32)
    /// The key of a thing whose properties stand elsewhere, or nowhere.
    case reference(Piece)
  }

  struct Property: Sendable {
    let term: Term
    /// The letters of a role or the digits of a MARC field.
    let code: Piece
    let value: Value
    fileprivate var next: Int32
  }

  struct Thing: Sendable {
    let term: Term
    /// Empty for what nobody can refer to.
    let key: Piece
    fileprivate var first: Int32 = -1
    fileprivate var last: Int32 = -1
  }

  private(set) var things: [Thing] = []
  private var bytes: [UInt8]
  private var properties: [Property] = []
  private var isReferring = false
  private var places: [String: [Int]] = [:]

  /// As many bytes as no file of this kind has, so that places in them are short.
  static let mostBytes = 1 << 30

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    properties.reserveCapacity(256)
    things.reserveCapacity(96)
  }

  /// For what does not stand in the record as it is meant.
  mutating func keep(_ text: some Sequence<UInt8>) -> Piece {
    let start = bytes.count
    bytes += text
    return Piece(start..<bytes.count)
  }

  mutating func addThing(_ term: Term, key: Piece) -> Int {
    things.append(Thing(term: term, key: key))
    return things.count - 1
  }

  mutating func add(_ term: Term, code: Piece = Piece(), _ value: Value, to thing: Int) {
    if case .reference = value {
      switch term {
      case .other, .memberOf, .isFormatOf, .webpage: break
      default: isReferring = true
      }
    }
    let place = Int32(properties.count)
    properties.append(Property(term: term, code: code, value: value, next: -1))
    let last = Int(things[thing].last)
    if last >= 0 { properties[last].next = place } else { things[thing].first = place }
    things[thing].last = place
  }

  /// When all is there: in most records nothing refers to anything, and nothing is looked up.
  mutating func seal() {
    guard isReferring || things.contains(where: { $0.term == .agent && $0.first < 0 }) else {
      return
    }
    for index in things.indices where things[index].first >= 0 && !things[index].key.isEmpty {
      places[name(things[index].key), default: []].append(index)
    }
  }

  /// In the order of the file.
  func forEachProperty(of thing: Int, _ body: (Property) -> Void) {
    var place = start(of: thing)
    while let property = next(&place) { body(property) }
  }

  /// Where the properties of a thing begin, for who walks along them without a closure.
  func start(of thing: Int) -> Int32 { things[thing].first }

  func next(_ place: inout Int32) -> Property? {
    guard place >= 0 else { return nil }
    let property = properties[Int(place)]
    place = property.next
    return property
  }

  func first(_ term: Term, of thing: Int) -> Value? {
    var place = Int(things[thing].first)
    while place >= 0 {
      if properties[place].term == term { return properties[place].value }
      place = Int(properties[place].next)
    }
    return nil
  }

  func values(_ term: Term, of thing: Int) -> [Value] {
    var found: [Value] = []
    forEachProperty(of: thing) { if $0.term == term { found.append($0.value) } }
    return found
  }

  /// Of several bodies under one key, those that say something.
  func things(under key: Piece) -> [Int] { places.isEmpty ? [] : places[name(key)] ?? [] }

  // MARK: - Texts

  func string(_ piece: Piece) -> String {
    String(decoding: self[piece], as: UTF8.self)
  }

  subscript(piece: Piece) -> ArraySlice<UInt8> {
    bytes[Int(piece.range.lowerBound)..<Int(piece.range.upperBound)]
  }

  func isSame(_ one: Piece, _ other: Piece) -> Bool {
    one.isLocal == other.isLocal && one.range.count == other.range.count
      && self[one].elementsEqual(self[other])
  }

  func begins(_ piece: Piece, with start: [UInt8]) -> Bool {
    guard piece.range.count >= start.count else { return false }
    let from = Int(piece.range.lowerBound)
    for index in start.indices where bytes[from + index] != start[index] { return false }
    return true
  }

  private func name(_ key: Piece) -> String { (key.isLocal ? "_:" : "") + string(key) }

  /// A text, wherever it stands: as it is, or as the `rdf:value` of a thing.
  func piece(_ value: Value, depth: Int = 0) -> Piece? {
    switch value {
    case .literal(let text): return text
    case .thing(let thing):
      guard depth < 4 else { return nil }
      return first(.value, of: Int(thing)).flatMap { piece($0, depth: depth + 1) }
    case .reference(let key):
      for thing in things(under: key) where depth < 4 {
        if let found = piece(.thing(Int32(thing)), depth: depth + 1) { return found }
      }
      return nil
    }
  }

  func text(_ value: Value) -> String? { piece(value).map(string) }

  func text(_ term: Term, of thing: Int) -> String? { first(term, of: thing).flatMap(text) }

  /// References are written from the root of the site, or in full, in either scheme.
  func key(_ reference: Piece) -> Piece {
    for site in Self.sites where begins(reference, with: site) {
      return reference.dropping(first: site.count)
    }
    return begins(reference, with: Self.root) ? reference.dropping(first: 1) : reference
  }

  private static let root = Array("/".utf8)
  private static let sites = [
    "http://www.gutenberg.org/", "https://www.gutenberg.org/", "http://gutenberg.org/",
    "https://gutenberg.org/",
  ].map { Array($0.utf8) }
}
