import Circulation
import Crypto
import FoundationEssentials
import HTTP
import JSON
import OPDS
import ProviderKit

/// Where a harvest stands. It travels as a cursor, so all that keeps a crawl from going in circles has
/// to be in it, and has to stay small.
struct Place: Sendable {
  enum Way: Sendable {
    case beginning
    /// One list of everything, at this page.
    case crawl(Address)
    /// Through all lists; these are still to be visited.
    case walk([Address])
  }

  enum Loop: Error {
    case circle
    /// More pages than any catalogue has.
    case endless
  }

  var way = Way.beginning
  let began: Date
  /// Only what changed from here on is wanted; nil for all.
  var since: Date?
  var etag: String?
  private(set) var pages = 0
  /// Whether every entry so far was no newer than the one before: only then may a look for changes
  /// stop at the first old one.
  private(set) var isOrdered = true
  private var last: Date?
  /// A page that is remembered until twice as many have been turned: whoever comes back to it goes in
  /// a circle (Brent).
  private var mark = ""
  private var markedAt = 1
  /// The titles of the page before, and where it led: some catalogues give the same page again under
  /// ever new addresses.
  private var shown = ""
  private var ahead = ""
  /// Lists that have been queued or visited, by digest.
  private var seen: Set<String> = []
  /// How many lists lead to each of those that are still to be visited.
  private var depths: [Int] = []

  init(began: Date) { self.began = began }

  /// Clocks differ, and a change may surface late.
  static let overlap = 3600.0
  private static let mostPages = 20_000
  private static let mostLists = 3000
  private static let mostWaiting = 500
  private static let mostDepth = 20

  // MARK: - Moving on

  mutating func note(_ publications: [Publication]) {
    for publication in publications {
      guard let updated = publication.updated else {
        isOrdered = false
        return
      }
      if let last, updated > last { isOrdered = false }
      last = updated
    }
  }

  /// Whether the page at this address holds what the one did that led to it.
  mutating func isRound(_ publications: [Publication], at here: Address, next: Address?) -> Bool {
    let titles = Self.name(publications.map(\.id).joined(separator: "\n"))
    defer { (shown, ahead) = (titles, next.map { Self.name($0.text) } ?? "") }
    return !publications.isEmpty && titles == shown && Self.name(here.text) == ahead
  }

  mutating func turn(to next: Address) throws(Loop) {
    let name = Self.name(next.text)
    if case .crawl(let here) = way, Self.name(here.text) == name { throw .circle }
    pages += 1
    guard name != mark else { throw .circle }
    guard pages < Self.mostPages else { throw .endless }
    if pages >= markedAt { (mark, markedAt) = (name, markedAt * 2) }
    way = .crawl(next)
  }

  /// On to the next page of a list, and into the lists that it leads to. Returns how many lists have to
  /// be left out, because they are too many or too deep.
  mutating func walk(
    on next: Address?, into lanes: [Address], from queue: [Address], home: Address
  ) -> Int {
    var dropped = 0
    if pages == 0 { seen.formUnion(queue.map { Self.name($0.text) }) }
    pages += 1
    var left = Array(queue.dropFirst())
    let depth = depths.first ?? 0
    depths = Array(depths.dropFirst())
    let all = [next].compactMap { $0 }.map { ($0, depth) } + lanes.map { ($0, depth + 1) }
    // A registry leads to other catalogues; they are not this one's.
    for (lane, depth) in all where lane.host == home.host {
      let name = Self.name(lane.text)
      guard !seen.contains(name) else { continue }
      guard seen.count < Self.mostLists, left.count < Self.mostWaiting, depth <= Self.mostDepth
      else {
        dropped += 1
        continue
      }
      seen.insert(name)
      left.append(lane)
      depths.append(depth)
    }
    way = .walk(left)
    return dropped
  }

  private static func name(_ text: String) -> String {
    String(Hex.encode(Digest.sha256.hash(text)).prefix(10))
  }

  // MARK: - As a cursor

  /// Where the next look for changes begins.
  var following: Place? {
    var next = Place(began: began)
    next.since = began.addingTimeInterval(-Self.overlap)
    next.etag = etag
    return next
  }

  init?(_ cursor: HarvestCursor, now: Date) {
    guard let json = try? JSONValue(parsing: cursor.value), json["opds"]?.integer == 1 else {
      return nil
    }
    // The next look for changes reaches back to this one, not to the one before.
    began = json["began"]?.words.flatMap(WireDate.instant) ?? now
    since = json["since"]?.words.flatMap(WireDate.instant)
    etag = json["etag"]?.words
    pages = json["pages"]?.integer ?? 0
    isOrdered = json["ordered"]?.bool ?? true
    last = json["last"]?.words.flatMap(WireDate.instant)
    mark = json["mark"]?.words ?? ""
    markedAt = json["marked_at"]?.integer ?? 1
    (shown, ahead) = (json["shown"]?.words ?? "", json["ahead"]?.words ?? "")
    seen = Set((json["seen"]?.words ?? "").split(separator: " ").map(String.init))
    if let page = json["page"]?.words {
      guard let address = try? Address(page) else { return nil }
      way = .crawl(address)
    } else if let waiting = json["lists"]?.array {
      way = .walk(waiting.compactMap { $0.words.flatMap { try? Address($0) } })
      let known = json["depths"]?.array?.compactMap(\.integer) ?? []
      depths = known.count == waiting.count ? known : waiting.map { _ in 0 }
    }
  }

  var cursor: HarvestCursor {
    var object: JSONObject = ["opds": 1]
    object["since"] = since.map { .string(WireDate.written($0)) }
    object["etag"] = etag.map { .string($0) }
    if case .beginning = way {
      return HarvestCursor(JSONValue.object(object).text())
    }
    object["began"] = .string(WireDate.written(began))
    object["pages"] = .integer(pages)
    object["ordered"] = .bool(isOrdered)
    object["last"] = last.map { .string(WireDate.written($0)) }
    (object["shown"], object["ahead"]) = (.string(shown), .string(ahead))
    switch way {
    case .beginning: break
    case .crawl(let page):
      object["page"] = .string(page.text)
      object["mark"] = .string(mark)
      object["marked_at"] = .integer(markedAt)
    case .walk(let lists):
      object["lists"] = .array(lists.map { .string($0.text) })
      object["depths"] = .array(depths.map { .integer($0) })
      object["seen"] = .string(seen.sorted().joined(separator: " "))
    }
    return HarvestCursor(JSONValue.object(object).text())
  }
}
