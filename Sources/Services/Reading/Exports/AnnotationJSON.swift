import EPUB
import JSON
import Machine

// As JSON: ours, of the shape KOReader writes, and Web Annotations.
extension AnnotationExport {
  var json: JSONValue {
    let documents = books.map { book -> JSONValue in
      [
        "title": .string(book.title), "author": .string(book.authors),
        "file_sha256": .string(book.book.digest), "identifier": JSONValue(book.book.identifier),
        "entries": .array(book.entries.map(Self.json)),
      ]
    }
    return [
      "version": "carrel/1", "created_on": .integer(Int(moment.secondsSinceEpoch)),
      "documents": .array(documents),
    ]
  }

  private static func json(_ one: Annotation) -> JSONValue {
    var entry: JSONObject = [
      "id": .string(one.id), "sort": .string(one.kind.rawValue),
      "drawer": .string(one.kind == .bookmark ? "" : "lighten"),
      "chapter": JSONValue(one.locator.title),
      "page": one.locator.position.map { .integer($0) } ?? .null,
      "time": .integer(Int(one.made / 1000)), "text": JSONValue(one.quote),
      "note": JSONValue(one.note), "tags": .array(one.tags.map(JSONValue.string)),
      "color": JSONValue(one.color), "locator": one.locator.json,
    ]
    // KOReader tells no such thing; without it a note that was changed would come in as an old one.
    if one.changed != one.made { entry["modified"] = .string(time(one.changed)) }
    return .object(entry)
  }

  // MARK: - Web Annotations

  static let context = "http://www.w3.org/ns/anno.jsonld"
  static let cfiStandard = "http://www.idpf.org/epub/linking/cfi/epub-cfi.html"

  /// One set for one book, else a list of sets.
  var webAnnotations: JSONValue {
    let sets = books.map { set($0) }
    return sets.count == 1 ? sets[0] : .array(sets)
  }

  private func set(_ book: Notebook) -> JSONValue {
    var about: JSONObject = ["dc:format": "application/epub+zip", "dc:title": .string(book.title)]
    let names = ["urn:sha256:\(book.book.digest)"] + [book.book.identifier].compactMap(\.self)
    about["dc:identifier"] = .array(names.map(JSONValue.string))
    about["dc:creator"] = .array(book.book.authors.map(JSONValue.string))
    return [
      "@context": .string(Self.context), "id": .string("urn:carrel:\(book.book.digest.prefix(32))"),
      "type": "AnnotationSet",
      "generator": ["id": "urn:carrel", "type": "Software", "name": "Carrel"],
      "generated": .string(moment.rfc3339()), "about": .object(about),
      "items": .array(book.entries.map(Self.webAnnotation)),
    ]
  }

  private static func webAnnotation(_ one: Annotation) -> JSONValue {
    var item: JSONObject = [
      "@context": .string(context), "id": .string("urn:uuid:\(one.id)"), "type": "Annotation",
      "created": .string(time(one.made)),
    ]
    if one.changed != one.made { item["modified"] = .string(time(one.changed)) }
    let motivations: [Annotation.Kind: JSONValue] = [
      .bookmark: "bookmarking", .highlight: "highlighting", .note: "commenting",
    ]
    item["motivation"] = motivations[one.kind] ?? "highlighting"
    var target: JSONObject = [
      "source": .string(one.locator.href), "selector": .array(selectors(one.locator)),
    ]
    var meta = JSONObject()
    if let title = one.locator.title {
      meta["headings"] = [["level": 1, "txt": .string(title)]]
    }
    if let position = one.locator.position { meta["page"] = .string("\(position)") }
    if !meta.isEmpty { target["meta"] = .object(meta) }
    // All that we know of the place, for the way back to us.
    target["carrel:locator"] = one.locator.json
    item["target"] = .object(target)
    if let body = body(one) { item["body"] = body }
    return .object(item)
  }

  private static func body(_ one: Annotation) -> JSONValue? {
    guard one.note != nil || !one.tags.isEmpty || one.color != nil else { return nil }
    var body: JSONObject = ["type": "TextualBody", "value": .string(one.note ?? "")]
    body["format"] = "text/plain"
    if let color = one.color { body["color"] = .string(color) }
    if !one.tags.isEmpty { body["tags"] = .array(one.tags.map(JSONValue.string)) }
    return .object(body)
  }

  /// More than one, and one of them by the words: that survives a corrected file.
  private static func selectors(_ locator: Locator) -> [JSONValue] {
    var all: [JSONValue] = []
    let quote = locator.quote
    if !quote.isEmpty {
      all.append([
        "type": "TextQuoteSelector", "exact": .string(quote.highlight ?? ""),
        "prefix": .string(quote.before ?? ""), "suffix": .string(quote.after ?? ""),
      ])
    }
    if let cfi = locator.cfi {
      all.append([
        "type": "FragmentSelector", "conformsTo": .string(cfiStandard), "value": .string("\(cfi)"),
      ])
    }
    if let progression = locator.progression {
      all.append(["type": "ProgressionSelector", "value": JSONValue(progression)])
    }
    return all
  }
}
