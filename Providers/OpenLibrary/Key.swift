package import Circulation

/// What the service calls a thing of its own: `OL45804W`, with or without a path around it. Whatever
/// does not look like one never becomes part of an address.
struct Key: Sendable, Hashable {
  enum Kind: Character, Sendable {
    case work = "W"
    case edition = "M"
    case list = "L"
  }

  let kind: Kind
  let name: String

  init?(_ text: String, _ kind: Kind) {
    let path = text.prefix { $0 != "?" && $0 != "#" }
    var name = path.split(separator: "/").last ?? ""
    if name.hasSuffix(".json") { name = name.dropLast(5) }
    let digits = name.dropFirst(2).dropLast()
    guard name.hasPrefix("OL"), name.last == kind.rawValue, (1...12).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    (self.kind, self.name) = (kind, String(name))
  }

  init?(_ item: ItemID) { self.init(item.rawValue, .work) }

  /// As the service writes it: `/works/OL45804W`.
  var path: String {
    switch kind {
    case .work: "/works/\(name)"
    case .edition: "/books/\(name)"
    case .list: "/lists/\(name)"
    }
  }

  var item: ItemID { ItemID(name) }
  var identifier: ForeignIdentifier { ForeignIdentifier(scheme: "openlibrary", value: name) }
}

/// One of the four places in the reading log. A work stands in one of them (§3).
enum Shelf: Int, Sendable, CaseIterable {
  case wanted = 1
  case reading, read, stopped

  init?(slug: String) {
    guard let shelf = Self.allCases.first(where: { $0.slug == slug }) else { return nil }
    self = shelf
  }

  var slug: String {
    switch self {
    case .wanted: "want-to-read"
    case .reading: "currently-reading"
    case .read: "already-read"
    case .stopped: "stopped-reading"
    }
  }

  var name: String {
    switch self {
    case .wanted: "Want to Read"
    case .reading: "Currently Reading"
    case .read: "Already Read"
    case .stopped: "Stopped Reading"
    }
  }

  var state: ReadingState {
    switch self {
    case .wanted: .wanted
    case .reading: .reading
    case .read: .read
    case .stopped: .stopped
    }
  }

  var id: ListID { ListID(slug) }

  var list: ReadingList { ReadingList(id: id, name: name, isExclusive: true, state: state) }
}

/// What a list's name leads to: a shelf of the reading log, or a list of the reader's own making.
enum Place: Sendable, Hashable {
  case shelf(Shelf)
  case list(Key)

  init?(_ list: ListID) {
    if let shelf = Shelf(slug: list.rawValue) {
      self = .shelf(shelf)
    } else if !list.rawValue.contains("/"), let key = Key(list.rawValue, .list) {
      self = .list(key)
    } else {
      return nil
    }
  }
}
