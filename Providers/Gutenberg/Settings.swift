import Circulation
import HTTP
import ProviderKit

/// Where the site's feeds and a mirror of its files are. Programs keep away from the site itself:
/// it is made for people, and shuts out who forgets it (§1).
struct Settings: Sendable {
  let feeds: Address
  let mirror: Address
  /// Where people are sent.
  let site: Address
  /// Records on one page of a harvest.
  let pageSize: Int
  let media: Media

  init(_ library: Library) throws(SettingsFault) {
    feeds = try library.endpoint("feeds")
    mirror = try library.endpoint("mirror")
    site = try library.endpoint("site")
    media = try Media(library)
    guard let text = library.settings["page_records"] else {
      pageSize = Self.usualPage
      return
    }
    guard let size = Int(text), (1...10_000).contains(size) else {
      throw SettingsFault(library.id, "page_records", "is not a number from 1 to 10000")
    }
    pageSize = size
  }

  static let usualPage = 1000

  static let needs = LibraryNeeds(
    settings: [
      .init(
        "page_records", "How many records are stored at a time", isSecret: false, isRequired: false),
      .init(
        Media.name, "Whether datasets, pictures and films are listed beside books", isSecret: false,
        isRequired: false),
    ],
    environments: [
      "production": [
        "feeds": "https://www.gutenberg.org/cache/epub/feeds",
        "mirror": "https://gutenberg.pglaf.org",
        "site": "https://www.gutenberg.org",
      ]
    ])
}

/// Which of its items are listed. Beside books and recordings there are datasets, pictures and films:
/// a reader has no use for them, and they are listed for whoever asks for them only.
enum Media: Sendable {
  case read
  case all

  static let name = "other_media"

  init(_ library: Library) throws(SettingsFault) {
    self = try library.flag(Self.name, default: false) ? .all : .read
  }

  func lists(_ edition: Edition) -> Bool {
    self == .all || edition.medium == .book || edition.medium == .audiobook
  }
}
