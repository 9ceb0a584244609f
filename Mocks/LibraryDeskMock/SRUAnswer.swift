import HTTP
import HTTPServer
import MockKit

/// A catalogue searched by SRU 1.1: enough of its query language for numbers, titles and authors.
struct SRUAnswer {
  private let request: MockRequest
  private let library: MockLibrary

  init(_ request: MockRequest, _ library: MockLibrary) {
    (self.request, self.library) = (request, library)
  }

  var response: Response {
    guard request.query["operation"] == "searchRetrieve" else {
      return document(
        "<zs:diagnostics>\(diagnostic(4, "Unsupported operation"))</zs:diagnostics>", 0)
    }
    guard let clauses = Self.clauses(in: request.query["query"] ?? "") else {
      return document("<zs:diagnostics>\(diagnostic(10, "Query syntax error"))</zs:diagnostics>", 0)
    }
    let paper = PaperLibrary(library, at: library.lending.nextDue() ?? .usualStart)
    let found = library.lending.order.compactMap { library.lending.titles[$0] }.filter { title in
      clauses.joiner == "or"
        ? clauses.all.contains { fits(title, $0) } : clauses.all.allSatisfy { fits(title, $0) }
    }
    let most = request.query["maximumRecords"].flatMap { Int($0) } ?? 10
    let start = max(1, request.query["startRecord"].flatMap { Int($0) } ?? 1)
    let shown = found.dropFirst(start - 1).prefix(most)
    let records = shown.enumerated().map { index, title in
      """
      <zs:record><zs:recordSchema>marcxml</zs:recordSchema><zs:recordPacking>xml</zs:recordPacking>\
      <zs:recordData>\(MockMARC(title, copies: paper.copies(of: title.id)).xml)</zs:recordData>\
      <zs:recordPosition>\(start + index)</zs:recordPosition></zs:record>
      """
    }
    return document(
      records.isEmpty ? "" : "<zs:records>\(records.joined())</zs:records>", found.count)
  }

  private func document(_ inside: String, _ count: Int) -> Response {
    .text(
      """
      <?xml version="1.0"?><zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/">\
      <zs:version>1.1</zs:version><zs:numberOfRecords>\(count)</zs:numberOfRecords>\(inside)\
      </zs:searchRetrieveResponse>
      """, MediaType("text", "xml"))
  }

  private func diagnostic(_ number: Int, _ message: String) -> String {
    """
    <diagnostic xmlns="http://www.loc.gov/zing/srw/diagnostic/">\
    <uri>info:srw/diagnostic/1/\(number)</uri><message>\(message)</message></diagnostic>
    """
  }

  // MARK: - The query

  private typealias Clause = (index: String, words: String)

  private func fits(_ title: Title, _ clause: Clause) -> Bool {
    func holds(_ text: String) -> Bool {
      let words = Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
      return clause.words.lowercased().split { !$0.isLetter && !$0.isNumber }
        .allSatisfy { words.contains(String($0)) }
    }
    switch clause.index {
    case "bath.isbn": return title.isbn == clause.words
    case "dc.title": return holds(title.name)
    case "dc.author", "dc.creator": return holds(title.authors.joined(separator: " "))
    case "cql.serverChoice": return holds("\(title.name) \(title.authors.joined(separator: " "))")
    case "rec.id": return title.id == clause.words
    default: return false
    }
  }

  /// `index="words"`, any number of them joined by one word.
  private static func clauses(in query: String) -> (all: [Clause], joiner: String)? {
    var (rest, clauses, joiner) = (query[...], [Clause](), "and")
    while true {
      rest = rest.drop { $0 == " " }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let index = rest[..<equals].filter { $0 != " " }
      rest = rest[rest.index(after: equals)...].drop { $0 == " " }
      var words = ""
      if rest.first == "\"" {
        rest.removeFirst()
        var isClosed = false
        while let sign = rest.popFirst() {
          if sign == "\\", let next = rest.popFirst() {
            words.append(next)
          } else if sign == "\"" {
            isClosed = true
            break
          } else {
            words.append(sign)
          }
        }
        guard isClosed else { return nil }
      } else {
        words = String(rest.prefix { $0 != " " })
        rest = rest.dropFirst(words.count)
      }
      clauses.append((String(index), words))
      rest = rest.drop { $0 == " " }
      if rest.isEmpty { return (clauses, joiner) }
      let word = rest.prefix { $0 != " " }.lowercased()
      guard word == "and" || word == "or" else { return nil }
      joiner = word
      rest = rest.dropFirst(word.count)
    }
  }
}
