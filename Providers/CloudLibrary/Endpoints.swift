import Circulation
import FoundationEssentials
import HTTP
import Markup
import ProviderKit
import Secrets

// Each remote call as a value, with its section number. Nothing here sends.

/// One call: what follows `/cirrus/library/{id}`, exactly as it will be sent, since it is signed.
struct Errand: Sendable {
  var method: HTTP.Method
  let rest: String
  /// The same for the journal, without the reader's card.
  var shown: String
  var body: [UInt8] = []
  /// Whether it speaks of the reader, whom a refusal may be about.
  var isForReader = false
  /// Whether asking again changes nothing.
  var isQuestion: Bool { method == .get }

  static func question(_ rest: String) -> Errand {
    Errand(method: .get, rest: rest, shown: String(rest.prefix { $0 != "?" }))
  }
}

/// The adapter's settings bound to a reader, whom these calls need.
struct Cardholder: Sendable {
  let reader: Settings.Reader

  private var card: String { reader.card.revealText { HTTP.Address.encoded($0) } }

  /// Only some calls take the PIN, and it becomes part of what is signed (§3).
  private var password: String {
    reader.pin.map { pin in pin.revealText { "?password=\(HTTP.Address.encoded($0))" } } ?? ""
  }

  /// §3
  var check: Errand { about("/patron/\(card)\(password)", shown: "/patron/…") }

  /// §6
  var shelf: Errand {
    about("/circulation/patron/\(card)\(password)", shown: "/circulation/patron/…")
  }

  /// §6: at most 25.
  func status(of items: [ItemID]) -> Errand {
    let ids = Errand.list(items)
    return about("/item/status/\(card)/\(ids)", shown: "/item/status/…/\(ids)")
  }

  private func about(_ rest: String, shown: String) -> Errand {
    Errand(method: .get, rest: rest, shown: shown, isForReader: true)
  }

  // MARK: Commands (§7)

  func checkOut(_ item: ItemID) -> Errand {
    command(.put, "/checkout", "CheckoutRequest", item, asking: password)
  }

  func checkIn(_ item: ItemID) -> Errand { command(.put, "/checkin", "CheckinRequest", item) }

  func placeHold(_ item: ItemID) -> Errand {
    command(.put, "/placehold", "PlaceHoldRequest", item, asking: password)
  }

  func cancelHold(_ item: ItemID) -> Errand {
    command(.put, "/cancelhold", "CancelHoldRequest", item)
  }

  /// §8: only when the reader opens the book, for it must be used within hours of the first time.
  func licence(_ item: ItemID) -> Errand { command(.put, "/GetItemACSM", "ACSMRequest", item) }

  func audioLicence(_ item: ItemID) -> Errand {
    command(.post, "/GetItemAudioFulfillment", "AudioFulfillmentRequest", item)
  }

  private func command(
    _ method: HTTP.Method, _ path: String, _ root: Name, _ item: ItemID, asking query: String = ""
  ) -> Errand {
    var writer = XMLWriter(.omitted)
    writer.write(
      tag(root) {
        [
          tag("ItemId") { [.text(item.rawValue)] },
          tag("PatronId") { [.text(reader.card.revealText { $0 })] },
        ]
      })
    return Errand(
      method: method, rest: path + query, shown: path, body: writer.finish(), isForReader: true)
  }
}

extension Errand {
  /// §4.2: at most 25.
  static func items(_ items: [ItemID]) -> Errand { question("/items/\(list(items))") }

  /// §4.1: counted from 1, at most 50.
  static func marc(from offset: Int, limit: Int) -> Errand {
    question("/data/marc?startdate=2000-01-01&offset=\(offset)&limit=\(limit)")
  }

  /// §4.3: who has and who wants one title.
  static func circulation(of item: ItemID) -> Errand {
    question("/circulation/item/\(HTTP.Address.encoded(item.rawValue))")
  }

  /// §5: no pages, hence short stretches.
  static func events(from start: Date, to end: Date) -> Errand {
    question("/data/cloudevents?startdate=\(naive(start))&enddate=\(naive(end))")
  }

  /// Commas stay as they are: they are signed as they are.
  static func list(_ items: [ItemID]) -> String {
    items.map { HTTP.Address.encoded($0.rawValue) }.joined(separator: ",")
  }

  /// UTC that does not say so.
  static func naive(_ date: Date) -> String { String(WireDate.written(date).dropLast()) }
}

extension Settings {
  struct AddressFault: Error {}

  /// The errand as a request, signed when it leaves.
  func request(_ errand: Errand, at now: @escaping @Sendable () -> Date)
    throws(AddressFault) -> WireRequest
  {
    let library = "/cirrus/library/\(HTTP.Address.encoded(libraryID))"
    let base = partner.text.last == "/" ? String(partner.text.dropLast()) : partner.text
    guard let address = try? HTTP.Address(base + library + errand.rest) else {
      throw AddressFault()
    }
    var request = WireRequest(
      errand.method, address, headers: ["Accept": "application/xml"], body: errand.body)
    if !errand.body.isEmpty { request.headers.set("Content-Type", "application/xml") }
    request.shownPath = library + errand.shown
    return Signer(accountID: accountID, key: accountKey)
      .signing(request, path: library + errand.rest, at: now)
  }
}
