/// Turns libyaml's steps into a tree, and refuses on the way what a settings file has no need of:
/// anchors and aliases (a few lines of them grow to gigabytes), tags, merge keys, second documents.
struct TreeBuilder: ~Copyable {
  private var reader: EventReader
  private let limits: YamlLimits
  private var nodes = 0

  init(_ bytes: [UInt8], limits: YamlLimits) throws(YamlError) {
    self.reader = try EventReader(bytes, limits: limits)
    self.limits = limits
  }

  /// The one document of the text; a text of comments only is a document that says nothing.
  mutating func document() throws(YamlError) -> YamlNode {
    _ = try reader.next()  // the stream's start
    let first = try reader.next()
    guard case .documentStart = first.step else {
      return YamlNode(.scalar(YamlScalar("", style: .plain)), at: .start)
    }
    let root = try node(from: try reader.next(), depth: 1)
    _ = try reader.next()  // the document's end
    let after = try reader.next()
    guard case .streamEnd = after.step else {
      throw YamlError(.severalDocuments, at: after.position)
    }
    return root
  }

  private mutating func node(from event: YamlEvent, depth: Int) throws(YamlError) -> YamlNode {
    nodes += 1
    guard nodes <= limits.nodes else {
      throw YamlError(.tooLarge(.nodes(limits.nodes)), at: event.position)
    }
    guard depth <= limits.depth else {
      throw YamlError(.tooLarge(.depth(limits.depth)), at: event.position)
    }
    switch event.step {
    case .scalar(let properties, let text, let style):
      let scalar = try scalar(text, style, properties, at: event.position)
      return YamlNode(.scalar(scalar), at: event.position)
    case .sequenceStart(let properties):
      try check(properties, allows: "seq", .sequence, at: event.position)
      return YamlNode(.sequence(try items(depth: depth + 1)), at: event.position)
    case .mappingStart(let properties):
      try check(properties, allows: "map", .mapping, at: event.position)
      return YamlNode(.mapping(try entries(depth: depth + 1)), at: event.position)
    case .alias:
      throw YamlError(.alias, at: event.position)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
      // libyaml's grammar yields a node here or an error; said as a refusal all the same.
      throw YamlError(.syntax("a value was expected here"), at: event.position)
    }
  }

  private mutating func items(depth: Int) throws(YamlError) -> [YamlNode] {
    var items: [YamlNode] = []
    while true {
      let event = try reader.next()
      if case .sequenceEnd = event.step { return items }
      items.append(try node(from: event, depth: depth))
    }
  }

  private mutating func entries(depth: Int) throws(YamlError) -> YamlMapping {
    var mapping = YamlMapping()
    while true {
      let event = try reader.next()
      if case .mappingEnd = event.step { return mapping }
      let key = try key(from: event)
      let value = try node(from: try reader.next(), depth: depth)
      let entry = YamlMapping.Entry(key: key, keyPosition: event.position, value: value)
      if let first = mapping.add(entry) {
        throw YamlError(.duplicateKey(key, first: first), at: event.position)
      }
    }
  }

  private func key(from event: YamlEvent) throws(YamlError) -> String {
    switch event.step {
    case .scalar(let properties, let text, let style):
      _ = try scalar(text, style, properties, at: event.position)
      if style == .plain, text.isEmpty { throw YamlError(.emptyKey, at: event.position) }
      if style == .plain, text == "<<" { throw YamlError(.mergeKey, at: event.position) }
      return text
    case .alias: throw YamlError(.alias, at: event.position)
    default: throw YamlError(.keyNotText, at: event.position)
    }
  }

  private func scalar(
    _ text: String, _ style: YamlScalar.Style, _ properties: YamlEvent.Properties,
    at position: YamlPosition
  ) throws(YamlError) -> YamlScalar {
    if properties.hasAnchor { throw YamlError(.anchor, at: position) }
    guard let tag = properties.tag else { return YamlScalar(text, style: style) }
    let expected: YamlNode.Kind
    switch tag {
    case "!", coreTag + "str": return YamlScalar(string: text, style: style)
    case coreTag + "int": expected = .int
    case coreTag + "float": expected = .float
    case coreTag + "bool": expected = .bool
    case coreTag + "null": expected = .null
    case coreTag + "seq": throw YamlError(.tagMismatch(expected: .sequence), at: position)
    case coreTag + "map": throw YamlError(.tagMismatch(expected: .mapping), at: position)
    default: throw YamlError(.tag, at: position)
    }
    // A tag speaks about the text, so `!!int "8080"` is a number although it stands in quotes.
    let scalar = YamlScalar(text, style: .plain)
    guard scalar.value.kind == expected else {
      throw YamlError(.tagMismatch(expected: expected), at: position)
    }
    return scalar
  }

  private func check(
    _ properties: YamlEvent.Properties, allows name: String, _ kind: YamlNode.Kind,
    at position: YamlPosition
  ) throws(YamlError) {
    if properties.hasAnchor { throw YamlError(.anchor, at: position) }
    guard let tag = properties.tag, tag != "!", tag != coreTag + name else { return }
    let known = ["str", "int", "float", "bool", "null", "seq", "map"]
    guard known.contains(where: { tag == coreTag + $0 }) else {
      throw YamlError(.tag, at: position)
    }
    throw YamlError(.syntax("the tag here does not fit \(kind.words)"), at: position)
  }

  private var coreTag: String { "tag:yaml.org,2002:" }
}
