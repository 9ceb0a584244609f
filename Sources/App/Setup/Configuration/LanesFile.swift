import Arguments
package import Shelving
import Yaml

/// The lanes of a library, from a file of their own. Its head in `config/lanes.yaml` tells what may
/// stand in it; all faults are told at once, each with its place and the nearest right word.
package struct LanesFile: Sendable {
  package private(set) var lanes: [Lane] = []
  private let path: String
  private var faults: [ConfigurationFault] = []
  private var names: Set<String> = []

  /// Nobody looks through more.
  private static let (deepest, most) = (6, 2000)

  package init(_ bytes: [UInt8], path: String) throws(ConfigurationError) {
    self.path = path
    let document: YamlNode
    do throws(YamlError) { document = try YamlNode(parsing: bytes) } catch {
      let place = ConfigurationFault.Place.file(
        path, line: error.position.line, column: error.position.column)
      let sentence = String(error.description.dropFirst("\(error.position): ".count))
      throw ConfigurationError([ConfigurationFault(place, key: nil, sentence)])
    }
    read(document)
    guard faults.isEmpty else { throw ConfigurationError(faults) }
  }

  private mutating func read(_ document: YamlNode) {
    guard let mapping = document.mapping else {
      return complain(document.position, "a file of lanes begins with 'lanes:'")
    }
    for entry in mapping.entries {
      guard entry.key == "lanes" else {
        complainUnknown(entry, among: ["lanes"])
        continue
      }
      lanes = lanes(in: entry.value, depth: 1)
    }
  }

  private mutating func lanes(in node: YamlNode, depth: Int) -> [Lane] {
    if node.isNull { return [] }
    guard let items = node.items else {
      complain(node.position, "'lanes' is a list, each lane beginning with '- name:'")
      return []
    }
    guard depth <= Self.deepest else {
      complain(node.position, "lanes lie at most \(Self.deepest) deep")
      return []
    }
    return items.compactMap { lane($0, depth: depth) }
  }

  private static let own = ["name", "title", "by", "sort", "lanes", "works", "isbns", "otherwise"]

  private mutating func lane(_ node: YamlNode, depth: Int) -> Lane? {
    guard let mapping = node.mapping else {
      complain(node.position, "a lane is a group of settings beginning with 'name:'")
      return nil
    }
    for entry in mapping.entries
    where !Self.own.contains(entry.key) && !RuleKey.all.contains(entry.key) {
      complainUnknown(entry, among: Self.own + RuleKey.all)
    }
    guard let name = name(of: mapping, at: node.position) else { return nil }
    let by = word(mapping["by"], among: ["rule", "list", "recommendation", "genre", "group"])
    let source = source(by ?? "rule", mapping)
    let order = word(mapping["sort"], among: LaneOrder.allCases.map(\.rawValue))
    var inner = mapping["lanes"].map { lanes(in: $0.value, depth: depth + 1) } ?? []
    if by == "genre" { inner = genres(rule(mapping)) + inner }
    return Lane(
      id: name, title: text(mapping["title"]) ?? name, source,
      order: order.flatMap(LaneOrder.init) ?? .liking, lanes: inner)
  }

  private mutating func source(_ by: String, _ mapping: YamlMapping) -> Lane.Source {
    let listKeys = ["works", "isbns", "otherwise"]
    if by != "list", let entry = listKeys.compactMap({ mapping[$0] }).first {
      complain(entry.keyPosition, "'\(entry.key)' belongs to a lane with 'by: list'")
    }
    switch by {
    case "list":
      var list = LaneList()
      list.works = texts(mapping["works"])
      list.isbns = texts(mapping["isbns"])
      if let entry = mapping["otherwise"], let inner = entry.value.mapping {
        for key in inner.entries where !RuleKey.all.contains(key.key) {
          complainUnknown(key, among: RuleKey.all)
        }
        list.otherwise = rule(inner)
      }
      return .list(list)
    case "recommendation": return .recommendation(rule(mapping))
    case "genre", "group": return .group
    default: return .rule(rule(mapping))
    }
  }

  /// Each with a name of its own: where a lane has the name of a genre, the genre's gets another.
  private mutating func genres(_ rule: LaneRule) -> [Lane] {
    let lanes = Lane.byGenre(rule)
    let taken = lanes.flatMap(\.flattened).contains { names.contains($0.lane.id) }
    let made = taken ? Lane.byGenre(rule, prefix: "genre-") : lanes
    for (_, lane) in made.flatMap(\.flattened) { names.insert(lane.id) }
    return made
  }

  private mutating func name(of mapping: YamlMapping, at position: YamlPosition) -> String? {
    guard let entry = mapping["name"], let name = text(entry) else {
      complain(position, "a lane has no 'name'")
      return nil
    }
    let isName =
      !name.isEmpty && name.utf8.count <= 64
      && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    guard isName else {
      complain(
        entry.value.position, "a lane is named by small letters, digits and -: '\(name)'")
      return nil
    }
    guard names.count < Self.most, names.insert(name).inserted else {
      complain(entry.value.position, "there is another lane named '\(name)'")
      return nil
    }
    return name
  }
}

/// What rules may say, as the file spells it.
private enum RuleKey {
  static let all = [
    "genre", "not_genre", "subject", "kind", "audience", "language", "form", "format",
    "collection", "available", "added", "published", "best_liked",
  ]
}

extension LanesFile {
  private mutating func rule(_ mapping: YamlMapping) -> LaneRule {
    var rule = LaneRule()
    let genres = Genre.all.map(\.id)
    rule.genres = words(mapping["genre"], among: genres)
    rule.withoutGenres = words(mapping["not_genre"], among: genres)
    rule.subjects = texts(mapping["subject"])
    rule.kind = word(mapping["kind"], among: ["fiction", "nonfiction"]).flatMap(Genre.Kind.init)
    rule.audiences = words(mapping["audience"], among: LaneWords.audiences)
    rule.languages = texts(mapping["language"])
    rule.forms = words(mapping["form"], among: LaneWords.forms)
    rule.formats = words(mapping["format"], among: LaneWords.formats)
    rule.collections = texts(mapping["collection"])
    rule.standing = word(mapping["available"], among: LaneRule.Standing.allCases.map(\.rawValue))
      .flatMap(LaneRule.Standing.init)
    rule.addedWithin = days(mapping["added"])
    rule.publishedWithin = days(mapping["published"])
    rule.bestLiked = count(mapping["best_liked"])
    return rule
  }

  private mutating func days(_ entry: YamlMapping.Entry?) -> Int? {
    guard let entry, let text = text(entry) else { return nil }
    if let days = LaneWords.days(text) { return days }
    complain(
      entry.value.position, "'\(entry.key)' must be a time such as 30d, 26w or 1y, not '\(text)'")
    return nil
  }

  private mutating func count(_ entry: YamlMapping.Entry?) -> Int? {
    guard let entry, let text = text(entry) else { return nil }
    if let count = Int(text), (1...100_000).contains(count) { return count }
    complain(
      entry.value.position, "'\(entry.key)' must be a number from 1 to 100000, not '\(text)'")
    return nil
  }

  private mutating func words(_ entry: YamlMapping.Entry?, among known: [String]) -> [String] {
    guard let entry else { return [] }
    return nodes(entry).compactMap { word(of: $0, entry.key, among: known) }
  }

  private mutating func word(_ entry: YamlMapping.Entry?, among known: [String]) -> String? {
    guard let entry, !entry.value.isNull else { return nil }
    return word(of: entry.value, entry.key, among: known)
  }

  private mutating func word(of node: YamlNode, _ key: String, among known: [String]) -> String? {
    guard let text = node.scalar?.text else {
      complain(node.position, "'\(key)' must be a word, not \(node.kind.words)")
      return nil
    }
    if known.contains(text) { return text }
    let choice =
      known.count > 12
      ? "'\(text)' is no \(key) that carrel knows"
      : "'\(key)' must be one of \(known.joined(separator: ", ")), not '\(text)'"
    complain(node.position, choice, Arguments.nearest(to: text, among: known).first)
    return nil
  }

  private mutating func texts(_ entry: YamlMapping.Entry?) -> [String] {
    guard let entry else { return [] }
    return nodes(entry).compactMap { node in
      if let text = node.scalar?.text, !text.isEmpty { return text }
      complain(node.position, "each of '\(entry.key)' must be a text, not \(node.kind.words)")
      return nil
    }
  }

  /// One word may stand without the brackets of a list.
  private func nodes(_ entry: YamlMapping.Entry) -> [YamlNode] {
    entry.value.isNull ? [] : entry.value.items ?? [entry.value]
  }

  private mutating func text(_ entry: YamlMapping.Entry?) -> String? {
    guard let entry, !entry.value.isNull else { return nil }
    if let text = entry.value.scalar?.text { return text }
    complain(
      entry.value.position, "'\(entry.key)' must be a text, not \(entry.value.kind.words)")
    return nil
  }

  private mutating func complainUnknown(_ entry: YamlMapping.Entry, among known: [String]) {
    complain(
      entry.keyPosition, "unknown key '\(entry.key)'",
      Arguments.nearest(to: entry.key, among: known).first)
  }

  private mutating func complain(
    _ place: YamlPosition, _ message: String, _ suggestion: String? = nil
  ) {
    faults.append(
      ConfigurationFault(
        .file(path, line: place.line, column: place.column), key: "lanes", message,
        suggestion: suggestion))
  }
}
