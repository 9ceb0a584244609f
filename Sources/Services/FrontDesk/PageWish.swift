package import Catalog
package import HTTP
import Phrasebook
package import Shelving

/// Which page of a list is wanted, how narrowed and in what order: what stands behind the question
/// mark of its address.
package struct PageWish: Sendable, Hashable {
  package var facets = LaneFacets()
  package var order: LaneOrder?
  package var count = PageWish.usual
  /// From 1.
  package var page = 1
  /// Of what is recommended.
  package var genre: Genre?
  /// Of a search.
  package var words: String?
  package var title: String?
  package var author: String?

  package static let usual = 25
  package static let most = 100

  /// Every link of a page repeats these texts, so they are short: the names of formats and
  /// languages, libraries by their addresses, and all that is looked for together.
  private static let longest = (choice: 64, library: 300, search: 300)

  /// Of a list in which nothing is looked for.
  package init(_ fields: FormFields) throws(Problem) {
    facets.standing = try Self.choice("available", fields)
    facets.format = try Self.text("format", fields, atMost: Self.longest.choice)
    facets.language = try Self.text("language", fields, atMost: Self.longest.choice)
    facets.collection = try Self.text("library", fields, atMost: Self.longest.library)
    order = try Self.choice("sort", fields)
    // More than we give is cut; what nobody means is refused.
    count = min(try Self.number("count", fields, upTo: 10_000) ?? Self.usual, Self.most)
    page = try Self.number("page", fields, upTo: 1_000_000) ?? 1
    genre = try Self.genre(fields)
  }

  package init(searching fields: FormFields) throws(Problem) {
    try self.init(fields)
    var room = Self.longest.search
    words = Self.words("q", fields, &room) ?? Self.words("query", fields, &room)
    title = Self.words("title", fields, &room)
    author = Self.words("author", fields, &room)
  }

  package var offset: Int { (page - 1) * count }

  /// What is empty has one page.
  package func pages(of total: Int) -> Int { max(1, (total + count - 1) / count) }

  package func check(against total: Int) throws(Problem) {
    guard page > pages(of: total) else { return }
    throw Problem(
      .notFound, code: "no_such_page", detail: said("There are \(pages(of: total)) pages."),
      remedy: said("Begin at the first one."))
  }

  /// The same, page by page: what has its usual value is not written.
  package var fields: FormFields {
    var fields = narrowing
    if page > 1 { fields.add("page", String(page)) }
    return fields
  }

  /// Without the page: a list that is narrowed otherwise begins anew.
  package var narrowing: FormFields {
    var fields = FormFields()
    func add(_ name: String, _ text: String?) {
      if let text { fields.add(name, text) }
    }
    add("q", words)
    add("title", title)
    add("author", author)
    add("genre", genre?.id)
    add("available", facets.standing?.rawValue)
    add("format", facets.format)
    add("language", facets.language)
    add("library", facets.collection)
    add("sort", order?.rawValue)
    add("count", count == Self.usual ? nil : String(count))
    return fields
  }

  package func at(_ page: Int) -> FormFields {
    var other = self
    other.page = page
    return other.fields
  }

  package func choosing(_ name: FacetGroup.Name, _ value: String?) -> PageWish {
    var other = self
    other.page = 1
    switch name {
    case .availability: other.facets.standing = value.flatMap { LaneRule.Standing(rawValue: $0) }
    case .format: other.facets.format = value
    case .language: other.facets.language = value
    case .collection: other.facets.collection = value
    }
    return other
  }

  package func about(_ genre: Genre?) -> PageWish {
    var other = self
    (other.page, other.genre) = (1, genre)
    return other
  }

  package func sorted(by order: LaneOrder?) -> PageWish {
    var other = self
    (other.page, other.order) = (1, order)
    return other
  }

  package func chosen(_ name: FacetGroup.Name) -> String? {
    switch name {
    case .availability: facets.standing?.rawValue
    case .format: facets.format
    case .language: facets.language
    case .collection: facets.collection
    }
  }

  // MARK: - Reading

  /// As many bytes of it as there is room for; what does not fit is not looked for.
  private static func words(
    _ name: String, _ fields: FormFields, _ room: inout Int
  ) -> String? {
    guard let text = fields[name] else { return nil }
    var short = ""
    for character in text {
      guard character.utf8.count <= room else { break }
      room -= character.utf8.count
      short.append(character)
    }
    return short.allSatisfy(\.isWhitespace) ? nil : short
  }

  private static func text(
    _ name: String, _ fields: FormFields, atMost most: Int
  ) throws(Problem) -> String? {
    guard let text = fields[name], !text.allSatisfy(\.isWhitespace) else { return nil }
    guard text.utf8.count <= most else { throw unnamed(name) }
    return text
  }

  private static func genre(_ fields: FormFields) throws(Problem) -> Genre? {
    guard let text = try text("genre", fields, atMost: longest.choice) else { return nil }
    guard let genre = Genre.all.first(where: { $0.id == text }) else { throw unnamed("genre") }
    return genre
  }

  private static func unnamed(_ name: String) -> Problem {
    Problem(
      .badRequest, code: "bad_value", detail: said("\(name) must be one that a feed names"))
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ fields: FormFields
  ) throws(Problem) -> Choice? where Choice.RawValue == String {
    guard let text = fields[name], !text.isEmpty else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(
        .badRequest, code: "bad_value", detail: said("\(name) must be one of \(words)"))
    }
    return choice
  }

  private static func number(
    _ name: String, _ fields: FormFields, upTo most: Int
  ) throws(Problem) -> Int? {
    guard let text = fields[name], !text.isEmpty else { return nil }
    guard let number = Int(text), (1...most).contains(number) else {
      throw Problem(
        .badRequest, code: "bad_value", detail: said("\(name) must be a number from 1 to \(most)"))
    }
    return number
  }
}
