import Circulation
import HTTP
import ProviderKit
import Secrets

// Each remote call as a value, with its section number. Nothing here sends. Paths are written just
// as the service spells them, mistakes and all.

extension Settings {
  /// §2
  var token: WireRequest {
    WireRequest(
      .post, api.at(["accesstoken"]), headers: ["Authorization": basic], isRepeatable: true)
  }

  // MARK: The catalogue

  /// §5.1: pages that take the service tens of seconds to make.
  func inventory(since moment: String, page: Int) -> WireRequest {
    var request = call(
      .get, ["titleLicense", "v3"], [("modifiedSince", moment), ("page", String(page))])
    (request.tryLimit, request.bodyLimit) = (.seconds(60), 64 << 20)
    return request
  }

  /// §5.2: at most 125.
  func availability(of items: [ItemID]) -> WireRequest {
    let ids = items.map(\.rawValue).joined(separator: ",")
    return call(.get, ["availability", "v2"], [("titleIds", ids)])
  }

  // MARK: The reader

  /// §6
  func shelf(of reader: Reader) -> WireRequest {
    call(.get, ["availability", "v2"], [("patronId", reader.number)])
  }

  /// §8: one title of the shelf, with all that is needed to open it.
  func shelf(of reader: Reader, only item: ItemID) -> WireRequest {
    call(
      .get, ["availability", "v2"], [("patronId", reader.number), ("titleIds", item.rawValue)])
  }

  /// §7
  func checkOut(_ item: ItemID, as format: Format?, by reader: Reader) -> WireRequest {
    var fields = [("titleId", item.rawValue), ("patronId", reader.number)]
    if let format { fields.append(("format", format.id)) }
    return call(.post, ["checkout", "v2"], fields)
  }

  func checkIn(_ item: ItemID, by reader: Reader) -> WireRequest {
    command(["EarlyCheckInTitle", "v3"], [("itemID", item.rawValue), ("patronID", reader.number)])
  }

  func placeHold(on item: ItemID, by reader: Reader, email: String) -> WireRequest {
    command(
      ["addtoHold", "v2"],
      [("titleId", item.rawValue), ("patronId", reader.number), ("email", email)])
  }

  func removeHold(on item: ItemID, by reader: Reader) -> WireRequest {
    command(["removeHold", "v2"], [("titleId", item.rawValue), ("patronId", reader.number)])
  }

  func suspendHold(on item: ItemID, by reader: Reader) -> WireRequest {
    command("suspendHold", item, reader)
  }

  func resumeHold(on item: ItemID, by reader: Reader) -> WireRequest {
    command("activateHold", item, reader)
  }

  // MARK: Shapes

  /// Every call but the one for a token says for which library it is.
  private func call(
    _ method: Method, _ path: [String], _ fields: [(name: String, value: String)]
  ) -> WireRequest {
    WireRequest(
      method, api.at(path).adding(fields.map { .init($0.name, $0.value) }),
      headers: ["Library": libraryID])
  }

  /// A GET that changes something: nobody may send it twice.
  private func command(_ path: [String], _ fields: [(name: String, value: String)])
    -> WireRequest
  {
    var request = call(.get, path, fields)
    request.isRepeatable = false
    return request
  }

  /// These name the card in their path, where a journal would show it.
  private func command(_ verb: String, _ item: ItemID, _ reader: Reader) -> WireRequest {
    var request = command([verb, "v2", item.rawValue, reader.number], [])
    request.shownPath = api.at([verb, "v2", item.rawValue]).path + "/•••"
    return request
  }
}

extension Settings.Reader {
  fileprivate var number: String { card.revealText { $0 } }
}

extension Address {
  fileprivate func at(_ segments: [String]) -> Address {
    segments.reduce(self) { $0.appending(segment: $1) }
  }
}
