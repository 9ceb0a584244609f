import HTTP
import MockKit

/// What a request asks for, read from method and path. A suffix `.xml` and `format=xml` are the same.
enum Route: Equatable {
  case requestToken, authorize, accessToken, whoAmI
  case shelves
  case reviews(String?)
  case review, reviewByBook
  case addToShelf, addManyToShelves, makeShelf
  case changeShelf(String)
  case createReview
  case editReview(String)
  case progress
  case user(String)
  case friends(String)
  case news
  case search
  case book(String)
  case bookByISBN(String)
  case numbers(String?)
  case works(String)
  case feed(String)
  case unknown

  /// Nil for paths that are none of this service's.
  init?(_ request: MockRequest) {
    guard request.path.first == "goodreads" else { return nil }
    let path = request.path.dropFirst().map {
      $0.hasSuffix(".xml") ? String($0.dropLast(4)) : $0
    }
    let isGet = request.method == .get || request.method == .head
    self = Route.found(path, request.method, isGet)
  }

  private static func found(_ path: [String], _ method: Method, _ isGet: Bool) -> Route {
    let last = path.last ?? ""
    switch (path.first, path.dropFirst().first, path.count) {
    case ("oauth", "request_token", 2): return .requestToken
    case ("oauth", "authorize", 2): return .authorize
    case ("oauth", "access_token", 2): return .accessToken
    case ("api", "auth_user", 2) where isGet: return .whoAmI
    case ("shelf", "list", 2) where isGet: return .shelves
    case ("shelf", "add_to_shelf", 2) where method == .post: return .addToShelf
    case ("shelf", "add_books_to_shelves", 2) where method == .post: return .addManyToShelves
    case ("user_shelves", _, 1) where method == .post: return .makeShelf
    case ("user_shelves", _, 2) where method == .put: return .changeShelf(last)
    case ("review", "list", 2) where isGet: return .reviews(nil)
    case ("review", "list", 3) where isGet: return .reviews(last)
    case ("review", "list_rss", 3) where isGet: return .feed(last)
    case ("review", "show", 2) where isGet: return .review
    case ("review", "show_by_user_and_book", 2) where isGet: return .reviewByBook
    case ("review", nil, 1) where method == .post: return .createReview
    case ("review", _, 2) where method == .put || method == .post: return .editReview(last)
    case ("user_status", nil, 1) where method == .post: return .progress
    case ("user", "show", 3) where isGet: return .user(last)
    case ("friend", "user", 3) where isGet: return .friends(last)
    case ("updates", "friends", 2) where isGet: return .news
    case ("search", "index", 2) where isGet: return .search
    case ("book", "show", 3) where isGet: return .book(last)
    case ("book", "isbn", 3) where isGet: return .bookByISBN(last)
    case ("book", "isbn_to_id", _) where isGet: return .numbers(path.count == 3 ? last : nil)
    case ("book", "id_to_work_id", 3) where isGet: return .works(last)
    default: return .unknown
    }
  }

  /// The case's name: what faults and the journal call the operation.
  var operation: String { String("\(self)".prefix { $0 != "(" }) }

  /// What the service calls it inside, which it tells with every answer.
  var method: String {
    switch self {
    case .whoAmI: "api_auth_user"
    case .shelves: "shelf_list"
    case .reviews: "review_list"
    case .review, .reviewByBook: "review_show"
    case .addToShelf: "shelf_add_to_shelf"
    case .createReview: "review_create"
    case .editReview: "review_update"
    case .friends: "friend_user"
    case .news: "updates_friends"
    case .user: "user_show"
    case .search: "search_index"
    case .book, .bookByISBN: "book_show"
    default: operation
    }
  }
}
