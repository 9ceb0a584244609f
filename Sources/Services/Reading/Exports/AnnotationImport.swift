import EPUB
import JSON
import Machine

/// What other programs wrote, as ours: Web Annotations and KOReader's notes.
package struct AnnotationImport: Sendable {
  package enum Fault: Error, Sendable, Hashable {
    case noJSON(String)
    /// It is JSON, and neither of the two.
    case unknownShape
  }

  package private(set) var annotations: [Annotation] = []
  /// Entries that say nothing of where they are.
  package private(set) var skipped = 0

  private let book: AnnotatedBook?
  private let now: Int64

  /// `book` is the one they belong to, where the reader names it; else each file says so itself.
  package init(_ bytes: [UInt8], for book: AnnotatedBook?, now: Int64) throws(Fault) {
    (self.book, self.now) = (book, now)
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: bytes) } catch {
      throw .noJSON("\(error)")
    }
    let sets = json.array ?? [json]
    for set in sets {
      if let items = set["items"]?.array {
        let about = known(set["about"])
        for item in items { take(webAnnotation: item, about) }
      } else if let documents = set["documents"]?.array {
        for document in documents { try take(document: document) }
      } else {
        try take(document: set)
      }
    }
  }

  /// Whether they were made in this book, by what the file says of it.
  package func concerns(_ other: AnnotatedBook) -> Bool {
    annotations.allSatisfy { $0.book.mayBe(other) }
  }

  private mutating func add(_ annotation: Annotation?) {
    guard let annotation, annotation.isSound else {
      skipped += 1
      return
    }
    annotations.append(annotation)
  }

  // MARK: - Web Annotations

  private func known(_ about: JSONValue?) -> AnnotatedBook {
    if let book { return book }
    let names = Self.texts(about?["dc:identifier"])
    let sign = "urn:sha256:"
    let digest = names.first { $0.hasPrefix(sign) }.map { String($0.dropFirst(sign.count)) }
    let identifier = names.first { !$0.hasPrefix(sign) }
    let title = about?["dc:title"]?.string
    return AnnotatedBook(
      digest: digest ?? "unknown:\(identifier ?? title ?? "")", identifier: identifier,
      title: title, authors: Self.texts(about?["dc:creator"]))
  }

  /// One text, or a list of texts or of things with a name.
  private static func texts(_ json: JSONValue?) -> [String] {
    let all = json?.array ?? [json].compactMap(\.self)
    return all.compactMap { $0.string ?? $0["name"]?.string }.filter { !$0.isEmpty }
  }

  private mutating func take(webAnnotation item: JSONValue, _ book: AnnotatedBook) {
    let target = item["target"]
    guard let locator = Self.locator(target) else { return add(nil) }
    let body = item["body"]?.array?.first ?? item["body"]
    let note = (body?["value"]?.string ?? body?.string).flatMap { $0.isEmpty ? nil : $0 }
    let motivation = item["motivation"]?.string ?? item["motivation"]?.array?.first?.string ?? ""
    let kind: Annotation.Kind =
      motivation.hasSuffix("bookmarking")
      ? .bookmark : note != nil ? .note : locator.quote.highlight == nil ? .bookmark : .highlight
    let made = Self.moment(item["created"]) ?? now
    var tags = Self.texts(body?["tags"])
    tags += Self.texts(body?["tag"])
    add(
      Annotation(
        id: Self.id(item["id"]?.string), book: book, kind: kind, locator: locator, note: note,
        tags: tags, color: body?["color"]?.string, made: made,
        changed: Self.moment(item["modified"]) ?? made))
  }

  private static func id(_ written: String?) -> String {
    let sign = "urn:uuid:"
    guard let written, !written.isEmpty else { return Annotation.freshID() }
    return written.hasPrefix(sign) ? String(written.dropFirst(sign.count)) : written
  }

  private static func moment(_ json: JSONValue?) -> Int64? {
    json?.string.flatMap { Timestamp(rfc3339: $0) }?.millisecondsSinceEpoch
  }

  private static func locator(_ target: JSONValue?) -> Locator? {
    if let ours = target?["carrel:locator"].flatMap({ Locator($0) }) { return ours }
    guard let source = target?["source"]?.string ?? target?.string, !source.isEmpty else {
      return nil
    }
    let parts = source.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var locator = Locator(href: String(parts[0]))
    if parts.count > 1 { locator.fragments = [String(parts[1])] }
    let written = target?["selector"]
    for selector in written?.array ?? [written].compactMap(\.self) {
      read(selector, into: &locator)
    }
    locator.title = target?["meta"]?["headings"]?.array?.last?["txt"]?.string
    return locator.href.isEmpty ? nil : locator
  }

  private static func read(_ selector: JSONValue, into locator: inout Locator) {
    let value = selector["value"]
    switch selector["type"]?.string {
    case "TextQuoteSelector":
      func text(_ name: String) -> String? {
        selector[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
      }
      locator.quote = Locator.Quote(
        before: text("prefix"), highlight: text("exact"), after: text("suffix"))
    case "FragmentSelector":
      guard let text = value?.string else { return }
      if let cfi = cfi(text) { locator.cfi = cfi } else { locator.fragments.append(text) }
    case "ProgressionSelector": locator.progression = value?.double
    default: break
    }
  }

  private static func cfi(_ text: String) -> CFI? {
    do throws(CFI.Fault) { return try CFI(text) } catch { return nil }
  }

  // MARK: - KOReader

  /// A book with its `entries`: KOReader names places of its own, so the words lead there.
  private mutating func take(document: JSONValue) throws(Fault) {
    guard let entries = document["entries"]?.array else { throw .unknownShape }
    let title = document["title"]?.string
    let makers = document["author"]?.string.map { [$0] } ?? []
    let digest = document["file_sha256"]?.string
    let identifier = document["identifier"]?.string
    let book =
      self.book
      ?? AnnotatedBook(
        digest: digest ?? "unknown:\(title ?? "")", identifier: identifier, title: title,
        authors: makers.filter { !$0.isEmpty })
    for entry in entries { take(entry: entry, book) }
  }

  private mutating func take(entry: JSONValue, _ book: AnnotatedBook) {
    let words = entry["text"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let note = entry["note"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let kept = entry["locator"].flatMap { Locator($0) }
    guard words != nil || kept != nil else { return add(nil) }
    var locator = kept ?? Locator(href: "unknown")
    if kept == nil {
      locator.title = entry["chapter"]?.string
      locator.quote.highlight = words
    }
    let kind = entry["sort"]?.string.flatMap(Annotation.Kind.init)
    let made =
      entry["time"]?.integer.map { Timestamp(secondsSinceEpoch: Int64($0)) }
      .map(\.millisecondsSinceEpoch) ?? now
    let name = "\(book.title ?? ""):\(made):\(words ?? "")"
    add(
      Annotation(
        id: entry["id"]?.string ?? "koreader-\(Self.digits(name))", book: book,
        kind: kind ?? (note == nil ? .highlight : .note), locator: locator, note: note,
        tags: Self.texts(entry["tags"]), color: entry["color"]?.string, made: made,
        changed: Self.moment(entry["modified"]) ?? made))
  }

  /// The same entry gets the same name, so that a second import brings it no second time (FNV-1a).
  private static func digits(_ text: String) -> String {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(sum, radix: 16)
  }
}
