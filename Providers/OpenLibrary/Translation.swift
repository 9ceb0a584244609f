import Circulation
import FoundationEssentials
import HTTP
import JSON
import ProviderKit

// What the wire means in our words.

enum Translation {
  /// A book under its work. Ratings and numbers come from elsewhere.
  static func entry(
    _ work: Key, _ title: String?, _ authors: [String], year: Int?, at api: Address?
  ) -> ListEntry {
    // One that was deleted has no name any more, and is still on the list.
    var entry = ListEntry(item: work.item, title: title ?? work.name)
    entry.authors = authors.distinct
    entry.identifiers = [work.identifier]
    entry.published = year.flatMap { (1...9999).contains($0) ? PartialDate(year: $0) : nil }
    entry.link = api.map { api in
      work.path.split(separator: "/").reduce(api) { $0.appending(segment: String($1)) }.text
    }
    return entry
  }

  /// What comes is keyed by work, whatever the service knows of it. Silence and `error` are no word
  /// about a book, and never a no (§5).
  static func availability(
    _ json: JSONValue, of works: [Key], asOf now: Date, _ operation: Circulation.Operation
  ) throws(CirculationError) -> [ItemID: Availability] {
    var told: [ItemID: Availability] = [:]
    for work in works {
      let status = try status(json[work.name], operation)
      told[work.item] = Availability(status, asOf: now)
    }
    return told
  }

  private static func status(_ told: JSONValue?, _ operation: Circulation.Operation)
    throws(CirculationError) -> Availability.Status
  {
    guard let told, !told.isNull else { return .unknownToProvider }
    guard told.object != nil, let status = told["status"], status.isNull || status.string != nil
    else { throw Documents.malformed("a status of every book", operation) }
    switch status.words {
    case "open": return .openAccess
    // How many there are is not told; that there is one is.
    case "borrow_available": return .available(.init(available: 1))
    case "borrow_unavailable":
      // A number, written as a text or as a number.
      let holds = told["num_waitlist"]?.whole
      return told["available_to_waitlist"]?.flag == true
        ? .queued(.init(available: 0, holds: holds)) : .unavailable(.init(available: 0))
    case "private": return .unavailable(.init(available: 0))
    default: return .unknownToProvider
    }
  }
}

extension ListEntry {
  /// The numbers of an edition of this work.
  mutating func take(_ edition: WireEdition?) {
    guard let edition else { return }
    isbns = edition.isbns
    if authors.isEmpty { authors = edition.authors.distinct }
  }

  /// The edition that the reader named.
  var edition: Key? { identifiers.lazy.compactMap { $0.key(.edition) }.first }
}

extension ForeignIdentifier {
  func key(_ kind: Key.Kind) -> Key? { scheme == "openlibrary" ? Key(value, kind) : nil }
}
