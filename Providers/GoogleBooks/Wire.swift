import Circulation
import JSON
import ProviderKit

enum Shelves {
  static let states: [Int: ReadingState] = [2: .wanted, 3: .reading, 4: .read]
  /// Purchased, reviewed, viewed lately, for you: the service fills these.
  static let closed: Set = [1, 5, 6, 8]
  /// Of e-books only what is free can be added, so it counts as one that is not ours to fill.
  static let ebooks = 7
}

struct WireShelf: Sendable, Hashable {
  let id: Int
  let title: String
  let volumeCount: Int?
  let volumesLastUpdated: String?

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.whole else { return nil }
    self.id = id
    title = json["title"]?.words ?? String(id)
    volumeCount = json["volumeCount"]?.whole
    volumesLastUpdated = json["volumesLastUpdated"]?.words
  }

  /// By its number: titles are in the reader's language (§2).
  func list() -> ReadingList {
    ReadingList(
      id: ListID(String(id)), name: title, count: volumeCount, state: Shelves.states[id],
      isOpen: !Shelves.closed.contains(id) && id != Shelves.ebooks,
      changedAt: volumesLastUpdated.flatMap { WireDate.instant($0) })
  }
}

struct WireVolume: Sendable, Hashable {
  let id: String
  let title: String
  let subtitle: String?
  let authors: [String]
  let publishedDate: String?
  let identifiers: [String]
  let link: String?

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.words else { return nil }
    self.id = id
    let told = json["volumeInfo"]
    title = told?["title"]?.words ?? ""
    subtitle = told?["subtitle"]?.words
    authors = (told?["authors"]?.elements ?? []).compactMap(\.words)
    publishedDate = told?["publishedDate"]?.words
    // Those of other kinds are barcodes of libraries (§4).
    identifiers = (told?["industryIdentifiers"]?.elements ?? []).compactMap { number in
      ["ISBN_10", "ISBN_13"].contains(number["type"]?.string) ? number["identifier"]?.words : nil
    }
    link = told?["canonicalVolumeLink"]?.words
  }

  func entry() -> ListEntry {
    var entry = ListEntry(
      item: ItemID(id), title: subtitle.map { "\(title): \($0)" } ?? title)
    entry.authors = authors.distinct
    entry.isbns = identifiers.compactMap { ISBN($0) }.distinct
    entry.identifiers = [ForeignIdentifier(scheme: "google_volume", value: id)]
    // `19??` and `2011*` occur; what is read in front of such signs still holds.
    entry.published = publishedDate.flatMap { text in
      WireDate.calendar(text) ?? WireDate.calendar(String(text.prefix { $0.isNumber || $0 == "-" }))
    }
    entry.link = link
    return entry
  }
}
