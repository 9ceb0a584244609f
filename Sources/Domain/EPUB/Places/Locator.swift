package import JSON

/// A place in a book that outlives the session: told in several ways, so that one of them still
/// leads there when the file has changed. As JSON it has the shape that Readium's readers exchange.
package struct Locator: Sendable, Hashable {
  /// The entry of the archive, without a fragment.
  package var href: String
  package var type: String
  /// Of the chapter.
  package var title: String?
  package var fragments: [String] = []
  /// How far through the item, from 0 to 1.
  package var progression: Double?
  package var totalProgression: Double?
  /// From 1.
  package var position: Int?
  package var cfi: CFI?
  /// Which item of the spine, from 0: the same entry may stand there twice.
  package var spine: Int?
  package var quote = Quote()
  /// What another program put there and wants back.
  package var others = JSONObject()
  package var otherLocations = JSONObject()

  /// Words at the place, with those around them.
  package struct Quote: Sendable, Hashable {
    package var before: String?
    package var highlight: String?
    package var after: String?

    package init(before: String? = nil, highlight: String? = nil, after: String? = nil) {
      (self.before, self.highlight, self.after) = (before, highlight, after)
    }

    package var isEmpty: Bool { self == Quote() }
  }

  package init(href: String, type: String = "application/xhtml+xml") {
    (self.href, self.type) = (href, type)
  }
}

extension Locator {
  package var json: JSONValue {
    var locator = others
    locator["href"] = .string(href)
    locator["type"] = .string(type)
    if let title { locator["title"] = .string(title) }
    var locations = otherLocations
    if !fragments.isEmpty { locations["fragments"] = .array(fragments.map(JSONValue.string)) }
    if let progression { locations["progression"] = JSONValue(progression) }
    if let position { locations["position"] = .integer(position) }
    if let totalProgression { locations["totalProgression"] = JSONValue(totalProgression) }
    if let cfi {
      locations["cfi"] = .string("\(cfi)")
      if let partial = cfi.insideDocument { locations["partialCfi"] = .string(partial.steps) }
    }
    if let spine { locations["spine"] = .integer(spine) }
    if !locations.isEmpty { locator["locations"] = .object(locations) }
    var text = JSONObject()
    if let before = quote.before { text["before"] = .string(before) }
    if let highlight = quote.highlight { text["highlight"] = .string(highlight) }
    if let after = quote.after { text["after"] = .string(after) }
    if !text.isEmpty { locator["text"] = .object(text) }
    return .object(locator)
  }

  /// Nil for what is no locator: without an address it leads nowhere. Numbers that cannot be are
  /// left out.
  package init?(_ json: JSONValue) {
    guard let object = json.object, let href = json["href"]?.string, !href.isEmpty else {
      return nil
    }
    self.init(href: href, type: json["type"]?.string ?? "")
    title = json["title"]?.string
    let locations = json["locations"]
    fragments = locations?["fragments"]?.array?.compactMap(\.string) ?? []
    progression = Self.share(locations?["progression"])
    totalProgression = Self.share(locations?["totalProgression"])
    position = locations?["position"]?.integer.flatMap { $0 >= 1 ? $0 : nil }
    spine = locations?["spine"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    if let text = locations?["cfi"]?.string { cfi = try? CFI(text) }
    let text = json["text"]
    quote = Quote(
      before: text?["before"]?.string, highlight: text?["highlight"]?.string,
      after: text?["after"]?.string)
    others = object.without(["href", "type", "title", "locations", "text"])
    // Steps of another program stay as they are: they begin in the document, ours in the package.
    var known: Set = ["fragments", "progression", "totalProgression", "position", "spine", "cfi"]
    if cfi != nil { known.insert("partialCfi") }
    otherLocations = locations?.object?.without(known) ?? JSONObject()
  }

  private static func share(_ value: JSONValue?) -> Double? {
    value?.double.flatMap { (0...1).contains($0) ? $0 : nil }
  }

  /// Steps that begin in the document, as `partialCfi` has them.
  package var partialSteps: CFI? {
    if let cfi { return cfi.insideDocument }
    return otherLocations["partialCfi"]?.string.flatMap { text in
      (try? CFI(steps: text)) ?? (try? CFI(text))
    }
  }
}

extension CFI {
  /// Without the steps through the package; nil where it stays there.
  package var insideDocument: CFI? {
    if let place = path.parts.firstIndex(of: .indirection) {
      let rest = Path(Array(path.parts[(place + 1)...]), offset: path.offset)
      return rest.parts.isEmpty && ends == nil ? nil : CFI(rest, ends: ends)
    }
    guard let ends, let one = ends.start.parts.firstIndex(of: .indirection),
      let two = ends.end.parts.firstIndex(of: .indirection)
    else { return nil }
    func rest(_ path: Path, _ place: Int) -> Path {
      Path(Array(path.parts[(place + 1)...]), offset: path.offset)
    }
    return CFI(Path(), ends: Ends(start: rest(ends.start, one), end: rest(ends.end, two)))
  }

  /// Which item of the package's spine it begins with.
  package var itemStep: (number: Int, assertion: Assertion?)? {
    let parts = start.parts
    guard let place = parts.firstIndex(of: .indirection) ?? (parts.count >= 2 ? 2 : nil),
      place >= 1, place <= parts.count, case .step(let number, let assertion) = parts[place - 1]
    else { return nil }
    return (number, assertion)
  }
}

extension JSONObject {
  fileprivate func without(_ names: Set<String>) -> JSONObject {
    var rest = self
    for name in names { rest[name] = nil }
    return rest
  }
}
