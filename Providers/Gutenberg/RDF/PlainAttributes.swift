// What stands within a tag, and in front of the first one.

extension PlainReading {
  // MARK: - Attributes

  struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
    let isPlain: Bool
  }

  /// Up to the `>` or `/` that ends the tag.
  mutating func attributes() throws(Foreign) -> [Attribute] {
    var found: [Attribute] = []
    while true {
      let before = at
      skipBlanks()
      guard at < bytes.count else { throw Foreign() }
      if bytes[at] == 0x3E || bytes[at] == 0x2F { return found }
      guard at > before, found.count < Self.mostAttributes else { throw Foreign() }
      let name = try nameRange()
      skipBlanks()
      guard at < bytes.count, bytes[at] == 0x3D else { throw Foreign() }
      at += 1
      skipBlanks()
      let (value, isPlain) = try attributeValue()
      guard !found.contains(where: { equal($0.name, name) }) else { throw Foreign() }
      found.append(Attribute(name: name, value: value, isPlain: isPlain))
    }
  }

  mutating func attributeValue() throws(Foreign) -> (Range<Int>, isPlain: Bool) {
    guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { throw Foreign() }
    let quote = bytes[at]
    let start = at + 1
    var place = start
    var isPlain = true
    let all = bytes
    let source = all.span
    while place < source.count, source[place] != quote {
      let byte = source[place]
      if byte == 0x3C || byte == 0xEF { throw Foreign() }
      if byte == 0x26 { isPlain = false }
      if byte < 0x20 {
        guard ASCII.isBlank(byte) else { throw Foreign() }
        isPlain = false
      }
      place += 1
    }
    guard place < source.count, place - start <= Self.longestText else { throw Foreign() }
    at = place + 1
    return (start..<place, isPlain)
  }

  func text(of attribute: Attribute) throws(Foreign) -> String {
    attribute.isPlain
      ? string(attribute.value) : try decoded(attribute.value, isAttribute: true)
  }

  mutating func meaning(of raw: [Attribute]) throws(Foreign) -> GraphBuilder.Attributes {
    var found = GraphBuilder.Attributes()
    for attribute in raw {
      let name = try meaning(ofName: attribute.name)
      switch name.part {
      case .about: found.about = try text(of: attribute)
      case .resource: found.resource = try text(of: attribute)
      case .nodeID: found.node = try text(of: attribute)
      case .datatype: break
      case .parseType: found.isResource = try text(of: attribute) == "Resource"
      case nil:
        if name.term != .other {
          found.others.append((name.term, name.code, try text(of: attribute)))
        }
      }
    }
    return found
  }

  // MARK: - Namespaces

  mutating func declare(_ raw: [Attribute]) throws(Foreign) {
    for attribute in raw {
      let name = string(attribute.name)
      guard name.hasPrefix("xmlns:") else {
        // A namespace without a prefix would be that of every plain name.
        guard name == "xml:base", attribute.isPlain else { throw Foreign() }
        continue
      }
      // Whether another one is well made is for others to say.
      let uri = try text(of: attribute)
      guard Self.known.contains(uri), name != "xmlns:xml", name != "xmlns:xmlns" else {
        throw Foreign()
      }
      let range = attribute.name.dropFirst(6)
      prefixes.append(Prefix(range: range, space: Term.Space(uri)))
    }
    guard prefixes.contains(where: { $0.space == .rdf }) else { throw Foreign() }
  }

  private static let known: Set<String> = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#",
    "http://purl.org/dc/terms/", "http://purl.org/dc/dcam/",
    "http://www.gutenberg.org/2009/pgterms/", "http://id.loc.gov/vocabulary/relators/",
    "http://id.loc.gov/vocabulary/relators", "http://web.resource.org/cc/",
    "http://creativecommons.org/ns#", "http://www.w3.org/2001/XMLSchema#",
  ]

  /// A name without a prefix, or with one that nobody declared, is for others to judge.
  func split(_ name: Range<Int>) throws(Foreign) -> (Term.Space, Range<Int>) {
    let all = bytes
    let source = all.span
    var colon = name.lowerBound
    while colon < name.upperBound, source[colon] != 0x3A { colon += 1 }
    guard colon < name.upperBound else { throw Foreign() }
    let prefix = name.lowerBound..<colon
    let local = (colon + 1)..<name.upperBound
    for known in prefixes where equal(known.range, prefix) { return (known.space, local) }
    throw Foreign()
  }

  /// What a name stands for. A record has two dozen, and each of them many times.
  struct Name {
    /// What RDF itself writes as attributes.
    enum Part: String { case about, resource, nodeID, datatype, parseType }

    let range: Range<Int>
    var term = Term.other
    var code = ""
    var part: Part?
  }

  mutating func meaning(ofName name: Range<Int>) throws(Foreign) -> Name {
    let (first, last) = (Int(bytes[name.lowerBound]), Int(bytes[name.upperBound - 1]))
    let place = (name.count &* 5 &+ first &* 3 &+ last) & (Self.places - 1)
    if let known = names[place], equal(known.range, name) { return known }
    let (space, range) = try split(name)
    var found = Name(range: name)
    if space != .other {
      let local = string(range)
      found.term = Term(space, local)
      found.code = EventReading.code(found.term, local)
      if space == .rdf { found.part = Name.Part(rawValue: local) }
    }
    names[place] = found
    return found
  }

  /// `<?xml version="1.0" encoding="utf-8"?>`, which may be left out.
  mutating func declaration() throws(Foreign) {
    let start: [UInt8] = Array("<?xml ".utf8)
    guard bytes[at...].starts(with: start) else { return }
    guard let end = bytes[at...].prefix(200).firstIndex(of: 0x3E) else { throw Foreign() }
    let words = string((at + start.count)..<end).lowercased().split(separator: " ")
    let known: Set<Substring> = [
      "version=\"1.0\"", "version='1.0'", "encoding=\"utf-8\"?", "encoding='utf-8'?", "?",
      "version=\"1.0\"?", "version='1.0'?",
    ]
    guard words.first?.hasPrefix("version=") == true, words.count < 4,
      words.allSatisfy({ known.contains($0) }), words.last?.hasSuffix("?") == true
    else { throw Foreign() }
    at = end + 1
  }
}
