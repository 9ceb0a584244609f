/// What a record says, without the order in which it says it: things, and properties of things.
struct Graph: Sendable {
  enum Value: Sendable, Hashable {
    case literal(String)
    case thing(Int)
    /// The key of a thing whose properties stand elsewhere, or nowhere.
    case reference(String)
  }

  struct Property: Sendable {
    let term: Term
    /// The letters of a role or the digits of a MARC field.
    let code: String
    let value: Value
    fileprivate var next: Int
  }

  struct Thing: Sendable {
    let term: Term
    /// Empty for what nobody can refer to.
    let key: String
    fileprivate var first = -1
    fileprivate var last = -1
  }

  private(set) var things: [Thing] = []
  private var properties: [Property] = []
  private var isReferring = false
  private var places: [String: [Int]] = [:]

  mutating func addThing(_ term: Term, key: String) -> Int {
    things.append(Thing(term: term, key: key))
    return things.count - 1
  }

  mutating func add(_ term: Term, code: String = "", _ value: Value, to thing: Int) {
    if case .reference = value, ![.other, .memberOf, .isFormatOf, .webpage].contains(term) {
      isReferring = true
    }
    properties.append(Property(term: term, code: code, value: value, next: -1))
    let place = properties.count - 1
    if things[thing].last >= 0 {
      properties[things[thing].last].next = place
    } else {
      things[thing].first = place
    }
    things[thing].last = place
  }

  /// When all is there: in most records nothing refers to anything, and nothing is looked up.
  mutating func seal() {
    guard isReferring || things.contains(where: { $0.term == .agent && $0.first < 0 }) else {
      return
    }
    for index in things.indices where things[index].first >= 0 && !things[index].key.isEmpty {
      places[things[index].key, default: []].append(index)
    }
  }

  /// In the order of the file.
  func forEachProperty(of thing: Int, _ body: (Property) -> Void) {
    var place = things[thing].first
    while place >= 0 {
      let property = properties[place]
      body(property)
      place = property.next
    }
  }

  func first(_ term: Term, of thing: Int) -> Value? {
    var place = things[thing].first
    while place >= 0 {
      if properties[place].term == term { return properties[place].value }
      place = properties[place].next
    }
    return nil
  }

  func values(_ term: Term, of thing: Int) -> [Value] {
    var found: [Value] = []
    forEachProperty(of: thing) { if $0.term == term { found.append($0.value) } }
    return found
  }

  /// Of several bodies under one key, those that say something.
  func things(under key: String) -> [Int] { places[key] ?? [] }

  /// A text, wherever it stands: as it is, or as the `rdf:value` of a thing.
  func text(_ value: Value, depth: Int = 0) -> String? {
    switch value {
    case .literal(let text): return text
    case .thing(let thing):
      guard depth < 4 else { return nil }
      return first(.value, of: thing).flatMap { text($0, depth: depth + 1) }
    case .reference(let key):
      for thing in things(under: key) where depth < 4 {
        if let found = text(.thing(thing), depth: depth + 1) { return found }
      }
      return nil
    }
  }

  func text(_ term: Term, of thing: Int) -> String? { first(term, of: thing).flatMap { text($0) } }

  /// References are written from the root of the site, or in full, in either scheme.
  static func key(_ reference: String) -> String {
    for prefix in [
      "http://www.gutenberg.org/", "https://www.gutenberg.org/", "http://gutenberg.org/",
      "https://gutenberg.org/",
    ] where reference.hasPrefix(prefix) {
      return String(reference.dropFirst(prefix.count))
    }
    return reference.hasPrefix("/") ? String(reference.dropFirst()) : reference
  }
}
