import Circulation
import HTTP
import ProviderKit
import Secrets

/// What this adapter needs to know, checked once. An instance is named in the settings only where
/// readers of one house may leave it out.
struct Settings: Sendable {
  let profile: Profile?

  static let fields: [ProviderListing.Field] = [
    .init("profile", "Address of the profile or of a shelf, or @name@instance", isSecret: false),
    .init(
      "shelves", "Shelves of your own making, with commas between", isSecret: false,
      isRequired: false),
  ]

  init(_ library: Library, _ credentials: Credentials?) throws(SettingsFault) {
    let instance = library.endpoints["instance"]
    guard instance?.query == nil, instance?.fragment == nil else {
      throw SettingsFault(library.id, "endpoints.instance", "is no address of an instance")
    }
    profile = credentials.flatMap { Profile($0, at: instance) }
  }
}

/// Whose shelves are read, and where.
struct Profile: Sendable, Hashable {
  /// Where the instance stands; everything of it is below.
  let home: Address
  let name: String
  /// Shelves that the reader named, by address or by word.
  let shelves: [String]

  init?(_ given: Credentials, at instance: Address?) {
    let text = given["profile"]?.revealText { $0.filter { !$0.isWhitespace } } ?? ""
    guard let place = Self.place(text, at: instance), Self.isName(place.name) else { return nil }
    (home, name) = (place.home, place.name)
    let named = (given["shelves"]?.revealText { $0 } ?? "").words(at: ",").compactMap { word in
      // Somebody may have copied its address.
      Self.place(word, at: instance)?.shelf ?? (word.holds("/") ? nil : Self.slug(word))
    }
    shelves = ([place.shelf].compactMap(\.self) + named).distinct
  }

  private typealias Place = (home: Address, name: String, shelf: String?)

  private static func place(_ text: String, at instance: Address?) -> Place? {
    let bare = text.drop { $0 == "@" }
    if !bare.contains("/") {
      if let at = bare.lastIndex(of: "@") {
        return (try? Address("https://\(bare[bare.index(after: at)...])")).flatMap { home in
          home.path == "/" && home.query == nil && home.fragment == nil
            ? (home, String(bare[..<at]), nil) : nil
        }
      }
      return instance.map { ($0, String(bare), nil) }
    }
    let isWhole = text.contains("://")
    guard let address = try? Address(isWhole ? text : "https://\(text)"),
      ["http", "https"].contains(address.scheme)
    else { return nil }
    return place(address)
  }

  /// `…/user/ada`, `…/user/ada/books/cooking-9?page=2`, `…/user/ada@other.example`, `…/@ada`.
  private static func place(_ address: Address) -> Place? {
    let path = address.path.split(separator: "/").map { PercentCoding.decode(String($0)) ?? "" }
    let short = path.last?.hasPrefix("@") == true ? path.count - 1 : nil
    guard let at = path.lastIndex(of: "user").map({ $0 + 1 }) ?? short, at < path.count else {
      return nil
    }
    let name = withoutEnding(path[at].drop { $0 == "@" })
    let root = address.replacingQuery([]).withoutFragment
    guard let top = try? root.resolving("/") else { return nil }
    let below = path[..<(path[at].hasPrefix("@") ? at : at - 1)]
    let home = below.reduce(top) { $0.appending(segment: $1) }
    if name.contains("@") {
      // A guest of this instance, whose shelves are kept at home.
      return place(name, at: nil).map { ($0.home, $0.name, nil) }
    }
    let isShelf = path.count > at + 2 && ["books", "shelf"].contains(path[at + 1])
    let shelf = isShelf ? withoutEnding(path[at + 2][...]) : nil
    return (home, name, shelf == "all" ? nil : shelf)
  }

  private static func withoutEnding(_ segment: Substring) -> String {
    String(segment.hasSuffix(".json") ? segment.dropLast(5) : segment)
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 150
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
      }
  }

  /// `Want to read 12` as a reader might type `want-to-read-12`.
  private static func slug(_ word: String) -> String {
    word.lowercased().replacing(" ", with: "-")
  }
}
