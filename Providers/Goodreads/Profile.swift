import HTTP
import ProviderKit
import Secrets

/// Whose feeds are read. Some profiles are private, and then their feeds have a key.
struct Profile: Sendable {
  let userID: String
  let key: Secret?
  /// Shelves that the reader named.
  let shelves: [String]

  init?(_ given: Credentials) {
    guard let text = given["profile"]?.revealText({ $0.filter { !$0.isWhitespace } }),
      let number = Self.number(in: text)
    else { return nil }
    userID = number
    let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    key = FormFields(parsing: String(query.prefix { $0 != "#" }))["key"].map { Secret($0) }
    shelves = (given["shelves"]?.revealText { $0 } ?? "").words(at: ",").map { name in
      name.lowercased().replacing(" ", with: "-")
    }
  }

  /// `4711`, `…/user/show/4711-dana`, `…/review/list/4711?shelf=read`, `…/review/list_rss/4711?key=…`
  private static func number(in text: String) -> String? {
    let path = text.prefix { $0 != "?" && $0 != "#" }
    for part in path.split(separator: "/").reversed() {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      let rest = part.dropFirst(digits.count).first
      if !digits.isEmpty, digits.count < 20, rest == nil || rest == "-" || rest == "." {
        return String(digits)
      }
    }
    return nil
  }

  /// §7. In the order in which books came, so that a new one shifts nothing.
  func feed(of shelf: String?, page: Int, at feeds: Address) -> WireRequest {
    var query: [Address.QueryItem] = [.init("shelf", shelf ?? "#ALL#")]
    if let key { query.append(.init("key", key.revealText { $0 })) }
    query += [
      .init("per_page", "200"), .init("page", String(page)), .init("sort", "date_added"),
      .init("order", shelf == nil ? "d" : "a"),
    ]
    let place = ["review", "list_rss", userID].reduce(feeds) { $0.appending(segment: $1) }
    // The usual names of libraries are kept out.
    return WireRequest(
      .get, place.adding(query),
      headers: [
        "Accept": "application/rss+xml, application/xml",
        "User-Agent": "Mozilla/5.0 (compatible; Carrel)",
      ])
  }
}
