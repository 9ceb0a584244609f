import HTTP
import HTTPServer
import MockKit

/// Books that nobody need have shelved.
extension Visit {
  func book(_ id: String) throws(Refusal) -> Response {
    envelope(BookWriter.book(try title(id)))
  }

  func bookByISBN(_ isbn: String) throws(Refusal) -> Response {
    guard let id = number(of: isbn) else { throw .noBook }
    return try book(id)
  }

  func search() throws(Refusal) -> Response {
    let words = (request.query["q"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    let found = library.lending.order.compactMap { library.lending.titles[$0] }.filter { title in
      let text = ([title.name, title.isbn] + title.authors).joined(separator: " ").lowercased()
      return !words.isEmpty && words.allSatisfy { text.contains($0) }
    }
    let (part, _) = slice(found, perPage: 20)
    let works = part.map { title in
      XML.wrap(
        "work",
        XML.number("id", Int(Furnishing.workID(of: title.id)) ?? 0)
          + XML.number("original_publication_year", Int(title.published.prefix(4)) ?? 0)
          + XML.wrap(
            "best_book",
            XML.number("id", Int(title.id) ?? 0) + XML.element("title", title.name)
              + XML.wrap(
                "author", XML.number("id", 9000) + XML.element("name", title.authors.first)),
            "type=\"Book\""))
    }
    return envelope(
      XML.wrap(
        "search",
        XML.cdata("query", request.query["q"] ?? "")
          + XML.element("results-start", part.isEmpty ? "0" : "1")
          + XML.element("results-end", String(part.count))
          + XML.element("total-results", String(found.count))
          + "<source>Goodreads</source>\n<query-time-seconds>0.02</query-time-seconds>\n"
          + XML.wrap("results", works.joined())))
  }

  /// Plain text; an empty place for each that is unknown, and a missing page where it is the only one.
  func numbers(_ single: String?) throws(Refusal) -> Response {
    let asked = (single ?? request.query["isbn"] ?? "").split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
    let found = asked.map { number(of: $0) ?? "" }
    guard asked.count > 1 || found.first?.isEmpty == false else {
      throw Refusal(.text("No book with that ISBN", status: .notFound))
    }
    return .text(found.joined(separator: ","), status: .ok)
  }

  func works(_ ids: String) throws(Refusal) -> Response {
    let items = ids.split(separator: ",").map(String.init).map { id in
      library.lending.titles[id] == nil
        ? "<item nil=\"true\"/>\n" : XML.element("item", Furnishing.workID(of: id))
    }
    return envelope(XML.wrap("work-ids", items.joined()))
  }

  private func number(of isbn: String) -> String? {
    guard !isbn.isEmpty else { return nil }
    return library.lending.order.first { id in
      guard let known = library.lending.titles[id]?.isbn, !known.isEmpty else { return false }
      return known == isbn || BookWriter.short(known) == isbn
    }
  }
}
