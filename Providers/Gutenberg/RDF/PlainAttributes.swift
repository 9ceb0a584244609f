// What stands within a tag, and in front of the first one.

extension PlainReading {
  // MARK: - Attributes

  struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
    let isPlain: Bool
  }

  /// Up to the `>` or `/` that ends the tag.
  mutating func attributes(_ source: Span<UInt8>) throws(Foreign) {
    found.removeAll(keepingCapacity: true)
    while true {
      let before = at
      skipBlanks(source)
      guard at < source.count else { throw Foreign() }
      if source[at] == 0x3E || source[at] == 0x2F { return }
      guard at > before, found.count < Self.mostAttributes else { throw Foreign() }
      let name = try nameRange(source)
      skipBlanks(source)
      guard at < source.count, source[at] == 0x3D else { throw Foreign() }
      at += 1
      skipBlanks(source)
      let (value, isPlain) = try attributeValue(source)
      for index in found.indices where Signs.areEqual(source, found[index].name, name) {
        throw Foreign()
      }
      found.append(Attribute(name: name, value: value, isPlain: isPlain))
    }
  }

  private mutating func attributeValue(
    _ source: Span<UInt8>
  ) throws(Foreign) -> (Range<Int>, isPlain: Bool) {
    guard at < source.count, source[at] == 0x22 || source[at] == 0x27 else { throw Foreign() }
    let quote = source[at]
    let start = at + 1
    var place = start
    var isPlain = true
    while true {
      place = Signs.firstInValue(quote, in: source, from: place)
      guard place < source.count else { throw Foreign() }
      let byte = source[place]
      if byte == quote { break }
      guard byte == 0x26 || ASCII.isBlank(byte) else { throw Foreign() }
      isPlain = false
      place += 1
    }
    if isOdd { for index in start..<place where source[index] == 0xEF { throw Foreign() } }
    guard place - start <= Self.longestText else { throw Foreign() }
    at = place + 1
    return (start..<place, isPlain)
  }

  /// Also of what nobody asks for, to learn whether its references are good ones.
  mutating func piece(
    of attribute: Attribute, _ source: Span<UInt8>
  ) throws(Foreign) -> Graph.Piece {
    attribute.isPlain
      ? Graph.Piece(attribute.value) : try decoded(attribute.value, source, isAttribute: true)
  }

  mutating func meaning(_ source: Span<UInt8>) throws(Foreign) -> GraphBuilder.Attributes {
    var meant = GraphBuilder.Attributes()
    for index in found.indices {
      let attribute = found[index]
      let name = try meaning(ofName: attribute.name, source)
      let piece = try piece(of: attribute, source)
      switch name.part {
      case .about: meant.about = piece
      case .resource: meant.resource = piece
      case .nodeID:
        meant.node = piece
        meant.node?.isLocal = true
      case .datatype: break
      case .parseType: meant.isResource = builder.says(piece, "Resource")
      case nil:
        if name.term != .other { meant.others.append((name.term, name.code, piece)) }
      }
    }
    return meant
  }

  // MARK: - Namespaces

  mutating func declare(_ source: Span<UInt8>) throws(Foreign) {
    var usual = 0
    for attribute in found {
      if let space = vocabulary.space(attribute, source) {
        usual += 1
        prefixes.append(Prefix(range: attribute.name.dropFirst(6), space: space))
        continue
      }
      guard isName(attribute.name, source) else { throw Foreign() }
      let name = string(attribute.name, source)
      guard name.hasPrefix("xmlns:") else {
        // A namespace without a prefix would be that of every plain name.
        guard name == "xml:base", attribute.isPlain else { throw Foreign() }
        continue
      }
      // Whether another one is well made is for others to say.
      guard attribute.isPlain, source.extracting(attribute.value).isASCII else { throw Foreign() }
      let uri = string(attribute.value, source)
      guard Self.known.contains(uri), name != "xmlns:xml", name != "xmlns:xmlns" else {
        throw Foreign()
      }
      let range = attribute.name.dropFirst(6)
      prefixes.append(Prefix(range: range, space: Term.Space(uri)))
    }
    guard prefixes.contains(where: { $0.space == .rdf }) else { throw Foreign() }
    isUsual = usual == vocabulary.namespaces.count
  }

  private static let known: Set<String> = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#",
    "http://purl.org/dc/terms/", "http://purl.org/dc/dcam/",
    "http://www.gutenberg.org/2009/pgterms/", "http://id.loc.gov/vocabulary/relators/",
    "http://id.loc.gov/vocabulary/relators", "http://web.resource.org/cc/",
    "http://creativecommons.org/ns#", "http://www.w3.org/2001/XMLSchema#",
  ]

  /// A name without a prefix, or with one that nobody declared, is for others to judge.
  private func split(
    _ name: Range<Int>, _ source: Span<UInt8>
  ) throws(Foreign) -> (Term.Space, Range<Int>) {
    var colon = name.lowerBound
    while colon < name.upperBound, source[colon] != 0x3A { colon += 1 }
    guard colon < name.upperBound else { throw Foreign() }
    let prefix = name.lowerBound..<colon
    let local = (colon + 1)..<name.upperBound
    for known in prefixes where Signs.areEqual(source, known.range, prefix) {
      return (known.space, local)
    }
    throw Foreign()
  }

  /// What a name stands for. A record has three dozen, and each of them many times.
  struct Name {
    /// What RDF itself writes as attributes.
    enum Part: String { case about, resource, nodeID, datatype, parseType }

    /// Where it stands: in the record, or in the vocabulary.
    let range: Range<Int>
    var term = Term.other
    var code = Graph.Piece()
    var part: Part?

    init(_ range: Range<Int>, _ space: Term.Space, _ local: String) {
      self.range = range
      guard space != .other else { return }
      term = Term(space, local)
      if space == .rdf { part = Part(rawValue: local) }
    }
  }

  mutating func meaning(ofName name: Range<Int>, _ source: Span<UInt8>) throws(Foreign) -> Name {
    if isUsual, let known = vocabulary.name(name, source) { return known }
    var place = Self.place(of: name, source)
    for step in 0..<8 {
      let next = (place &+ step) & (Self.places - 1)
      guard let known = names[next] else {
        place = next
        break
      }
      if Signs.areEqual(source, known.range, name) { return known }
    }
    guard isName(name, source) else { throw Foreign() }
    let (space, range) = try split(name, source)
    var found = Name(name, space, space == .other ? "" : string(range, source))
    if let unsaid = found.term.unsaid { found.code = Graph.Piece(range).dropping(first: unsaid) }
    names[place] = found
    return found
  }

  /// By the last of its letters, which tell names apart best.
  private static func place(of name: Range<Int>, _ source: Span<UInt8>) -> Int {
    guard name.upperBound >= 8 else { return name.count & (places - 1) }
    let word = Signs.word(source, name.upperBound - 8) ^ UInt64(truncatingIfNeeded: name.count)
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 57) & (places - 1)
  }

  /// `<?xml version="1.0" encoding="utf-8"?>`, which may be left out.
  mutating func declaration(_ source: Span<UInt8>) throws(Foreign) {
    guard stands(Self.start, in: source) else { return }
    if stands(Self.usual, in: source) {
      at += Self.usual.count
      return
    }
    let end = Signs.first(0x3E, 0x3E, in: source, from: at)
    let inside = (at + Self.start.count)..<max(end, at + Self.start.count)
    guard end < min(source.count, at + 200), source.extracting(inside).isASCII else {
      throw Foreign()
    }
    let words = string(inside, source).lowercased().split(separator: " ")
    let known: Set<Substring> = [
      "version=\"1.0\"", "version='1.0'", "encoding=\"utf-8\"?", "encoding='utf-8'?", "?",
      "version=\"1.0\"?", "version='1.0'?",
    ]
    guard words.first?.hasPrefix("version=") == true, words.count < 4,
      words.allSatisfy({ known.contains($0) }), words.last?.hasSuffix("?") == true
    else { throw Foreign() }
    at = end + 1
  }

  private func stands(_ words: [UInt8], in source: Span<UInt8>) -> Bool {
    guard source.count - at >= words.count else { return false }
    for index in words.indices where source[at + index] != words[index] { return false }
    return true
  }

  private static let start = Array("<?xml ".utf8)
  private static let usual = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>".utf8)
}

extension Span where Element == UInt8 {
  fileprivate var isASCII: Bool { Signs(of: self).isASCII }
}
