import Circulation
import JSON
import ProviderKit

// The shapes of the wire, under the wire's own names. Section numbers are those of the adapter's
// README. Reading is tolerant: what a sample lacks, real answers lack too.

/// An element of `/items`: what a title is, and how it stands now (§4.2).
struct WireItem: Sendable {
  let itemID: String
  let xml: WireXML

  init?(_ xml: WireXML) {
    guard let id = xml.words("ItemId") else { return nil }
    (itemID, self.xml) = (id, xml)
  }

  var canCheckout: Bool? { xml.flag("CanCheckout") }
  var canHold: Bool? { xml.flag("CanHold") }
  var totalCopies: Int? { xml.whole("TotalCopies") }
  var availableCopies: Int? { xml.whole("AvailableCopies") }
  var onHoldCount: Int? { xml.whole("OnHoldCount") }
  var bookFormat: String? { xml.words("BookFormat") }
}

/// §4.3: counts, and who has and wants a title. Of the readers only their number is kept.
struct WireCirculation: Sendable, Hashable {
  let itemID: String
  let total: Int?
  let available: Int?
  let holds: Int
  let reserves: Int

  init?(_ xml: WireXML) {
    guard xml.isNamed("ItemCirculation") || xml["Checkouts"] != nil || xml["Holds"] != nil,
      let id = xml.words("ItemId")
    else { return nil }
    itemID = id
    total = xml.whole("TotalCopies")
    available = xml.whole("AvailableCopies")
    holds = xml.list("Patron", in: "Holds").count
    reserves = xml.list("Patron", in: "Reserves").count
  }

  var isWanted: Bool { holds + reserves > 0 }
}

/// §4.3: the view for shared collections.
struct WireSummary: Sendable, Hashable {
  let id: String
  let totalCopies: Int
  let totalLoanCopies: Int
  let totalHoldCopies: Int

  init?(_ xml: WireXML) {
    guard let id = xml.words("id") ?? xml.words("ItemId") else { return nil }
    self.id = id
    totalCopies = xml.whole("totalCopies") ?? 0
    totalLoanCopies = xml.whole("totalLoanCopies") ?? 0
    totalHoldCopies = xml.whole("totalHoldCopies") ?? 0
  }
}

/// §5: which titles something happened to. Whom it happened to stands beside it and is not read.
struct WireEvents: Sendable, Hashable {
  static let types: Set = ["CHECKOUT", "CHECKIN", "HOLD", "RESERVED", "PURCHASE", "REMOVED"]

  /// All that came, for it tells whether the answer was full.
  let count: Int
  /// Each once, in the order of the events.
  let items: [String]

  init(count: Int, items: [String]) { (self.count, self.items) = (count, items) }

  init(_ xml: WireXML) {
    let events = xml.everywhere("CloudLibraryEvent")
    let items = events.compactMap { event -> String? in
      guard let type = event.words("EventType"), Self.types.contains(type.uppercased()) else {
        return nil
      }
      return event.words("ItemId")
    }
    self.init(count: events.count, items: items.distinct)
  }
}

/// §6: one thing on a shelf. The dates are UTC and do not say so.
struct WireEntry: Sendable, Hashable {
  let itemID: String
  let start: String?
  let end: String?
  let position: Int?

  /// Nil for a title that has left the collection: the service leaves its id out.
  init?(_ xml: WireXML) {
    guard let id = xml.words("ItemId") else { return nil }
    itemID = id
    start = xml.words("EventStartDateInUTC")
    end = xml.words("EventEndDateInUTC")
    position = xml.whole("Position")
  }
}

struct WireShelf: Sendable, Hashable {
  let checkouts: [WireEntry]
  let holds: [WireEntry]
  let reserves: [WireEntry]

  init(_ xml: WireXML) {
    func entries(_ section: String) -> [WireEntry] {
      xml.list("Item", in: section).compactMap { WireEntry($0) }
    }
    (checkouts, holds, reserves) = (entries("Checkouts"), entries("Holds"), entries("Reserves"))
  }

  var itemIDs: [String] { (checkouts + holds + reserves).map(\.itemID) }
}

struct WireCheckout: Sendable, Hashable {
  let itemID: String
  let due: String?

  init?(_ xml: WireXML) {
    guard let id = xml.words("ItemId") else { return nil }
    (itemID, due) = (id, xml.words("DueDateInUTC"))
  }
}

/// It tells when a copy may come, as a guess, and not which place the reader has.
struct WirePlacedHold: Sendable, Hashable {
  let itemID: String

  init?(_ xml: WireXML) {
    guard let id = xml.words("ItemId") else { return nil }
    itemID = id
  }
}

/// What a title is to one reader, in the service's words (§6).
struct WireStatus: Sendable, Hashable {
  let id: String
  let status: String

  init?(_ xml: WireXML) {
    guard let id = xml.words("id") ?? xml.words("ItemId"), let status = xml.words("status") else {
      return nil
    }
    (self.id, self.status) = (id, status.uppercased())
  }
}

/// §8: an ACSM document, untouched.
struct WireLicence: Sendable, Hashable {
  let document: [UInt8]
  let expiration: String?

  init(_ xml: WireXML, _ body: [UInt8]) {
    document = body
    expiration = xml.words("expiration")
  }
}

/// §8: what a closed player would need.
struct WireAudioLicence: Sendable, Hashable {
  let document: [UInt8]

  init?(_ json: JSONValue, _ body: [UInt8]) {
    guard json["items"]?.array != nil, json["licenseId"] != nil || json["fulfillmentId"] != nil
    else { return nil }
    document = body
  }
}

/// §9: the code says nothing, so it is not kept.
struct WireFailure: Sendable, Hashable {
  let message: String?

  init?(_ xml: WireXML) {
    guard xml.isNamed("Error") else { return nil }
    message = xml.words("Message")
  }
}
