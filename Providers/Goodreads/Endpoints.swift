import Circulation
import HTTP
import ProviderKit

// Each remote call as a value, with its section number. Nothing here sends or signs.

extension Settings {
  // MARK: Signing in (§3)

  var requestToken: Address { at("oauth", "request_token") }
  var authorizePage: Address { at("oauth", "authorize") }
  var accessToken: Address { at("oauth", "access_token") }
  var whoAmI: WireRequest { question(["api", "auth_user"]) }

  // MARK: Shelves (§4)

  func shelves(of user: String, page: Int) -> WireRequest {
    question(["shelf", "list.xml"], [("user_id", user), ("page", String(page))])
  }

  /// In the order in which they came: what is added meanwhile comes at the end and shifts nothing.
  func reviews(of user: String, on shelf: String, page: Int) -> WireRequest {
    question(
      ["review", "list.xml"],
      [
        ("v", "2"), ("id", user), ("shelf", shelf), ("sort", "date_added"), ("order", "a"),
        ("per_page", String(Self.perPage)), ("page", String(page)),
      ])
  }

  func changes(of user: String, page: Int) -> WireRequest {
    question(
      ["review", "list.xml"],
      [
        ("v", "2"), ("id", user), ("sort", "date_updated"), ("order", "d"),
        ("per_page", String(Self.perPage)), ("page", String(page)),
      ])
  }

  static let perPage = 200

  /// On whatever edition of the work the review stands.
  func review(by user: String, of book: String) -> WireRequest {
    question(
      ["review", "show_by_user_and_book.xml"],
      [("user_id", user), ("book_id", book), ("include_review_on_work", "true")])
  }

  func review(_ id: String) -> WireRequest { question(["review", "show.xml"], [("id", id)]) }

  // MARK: Writing (§5)

  func put(_ book: String, on shelf: String) -> WireRequest {
    post(["shelf", "add_to_shelf.xml"], [("name", shelf), ("book_id", book)])
  }

  func take(_ book: String, off shelf: String) -> WireRequest {
    post(["shelf", "add_to_shelf.xml"], [("name", shelf), ("book_id", book), ("a", "remove")])
  }

  /// Documented as PUT, which some get refused: `method` is what is tried.
  func edit(
    _ review: String, _ method: Method, _ fields: [(name: String, value: String)]
  ) -> WireRequest {
    var request = WireRequest.form(at("review", "\(review).xml"), fields)
    request.method = method
    request.isRepeatable = false
    return request
  }

  // MARK: People and books (§6)

  func friends(of user: String, page: Int) -> WireRequest {
    question(["friend", "user", "\(user).xml"], [("page", String(page)), ("sort", "first_name")])
  }

  var news: WireRequest {
    question(["updates", "friends.xml"], [("update_filter", "friends"), ("max_updates", "50")])
  }

  /// Answered in plain text: a number for each, in order, and nothing for what is unknown.
  func numbers(of isbns: [ISBN]) -> WireRequest {
    question(["book", "isbn_to_id"], [("isbn", isbns.map(\.digits).joined(separator: ","))])
  }

  func book(_ id: String) -> WireRequest { question(["book", "show", "\(id).xml"]) }

  func search(_ words: String) -> WireRequest {
    question(["search", "index.xml"], [("q", words), ("page", "1"), ("search[field]", "all")])
  }

  // MARK: Shapes

  private func at(_ segments: String...) -> Address { at(segments) }

  private func at(_ segments: [String]) -> Address {
    segments.reduce(api) { $0.appending(segment: $1) }
  }

  private func question(_ path: [String], _ query: [(name: String, value: String)] = [])
    -> WireRequest
  {
    WireRequest(.get, at(path).adding(query.map { .init($0.name, $0.value) }))
  }

  private func post(_ path: [String], _ fields: [(name: String, value: String)]) -> WireRequest {
    var request = WireRequest.form(at(path), fields)
    request.isRepeatable = false
    return request
  }
}
