import FrontDesk
import HTTPServer

/// Where things are, below one of the three roots. Nobody outside builds these: they are found by
/// links.
struct FeedPaths: Sendable {
  let start: RoutePath<Void>

  init(_ root: RoutePath<Void>) { start = root }

  /// Which version it is depends on who asks.
  static let either = FeedPaths(Path.root / "opds")
  static let atom = FeedPaths(Path.root / "opds" / "1")
  static let json = FeedPaths(Path.root / "opds" / "2")

  var groups: RoutePath<Void> { start / "groups" }
  var narrowing: RoutePath<Void> { start / "narrow" }
  var lane: RoutePath<String> { start / "lanes" / .text("lane") }
  var books: RoutePath<String> { lane / "books" }
  var laneGroups: RoutePath<String> { lane / "groups" }
  var laneNarrowing: RoutePath<String> { lane / "narrow" }
  var search: RoutePath<Void> { start / "search" }
  var searchNarrowing: RoutePath<Void> { start / "search" / "narrow" }
  var work: RoutePath<String> { start / "works" / .text("work") }
  var shelf: RoutePath<Void> { start / "shelf" }
  var all: RoutePath<Void> { start / "all" }

  /// Borrowing and waiting: the work, the library, its name for the title.
  var borrow: RoutePath<(String, String, String)> {
    work / .text("library") / .text("item") / "borrow"
  }
  var revoke: RoutePath<(String, String, String)> {
    work / .text("library") / .text("item") / "revoke"
  }
  /// The file: besides, the key of its format, and a name with a suffix that apps go by.
  var file: RoutePath<(String, String, String, String)> {
    work / .text("library") / .text("item") / "files" / .text("format")
  }

  /// What can be done with a work, as a feed of its own, and one of these things, done.
  var actions: RoutePath<String> { work / "actions" }
  var deed: RoutePath<String> { start / "do" / .text("slip") }

  /// The reader's own lists, one of them, and a book on it.
  var lists: RoutePath<Void> { start / "lists" }
  var list: RoutePath<String> { lists / .text("list") }
  var member: RoutePath<(String, String)> { list / "books" / .text("member") }

  /// What librarians put together, what friends share, and one of these lists.
  var librarians: RoutePath<Void> { start / "from-librarians" }
  var friends: RoutePath<Void> { start / "from-friends" }
  var sharedList: RoutePath<String> { start / "shared" / .text("list") }

  /// Not of a version.
  static let service = Path.root / "opds" / "service"
  static let progression = Path.root / "opds" / "works" / .text("work") / "progression"
  static let profile = Path.root / "opds" / "profile"
  static let sync = Path.root / "opds" / "kosync"
  static let authentication = Path.root / "opds" / "auth"
  static let searchDescription = Path.root / "opds" / "search.xml"
  static let cover = CoverAddress.path
}
