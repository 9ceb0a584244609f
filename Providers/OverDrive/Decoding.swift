import Circulation
import FoundationEssentials
import JSON
import ProviderKit

/// Recorded bodies, read by the functions that the operations read with.
enum Decoding {
  static func decode(
    _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    guard let row = rows.first(where: { $0.kind == kind }) else {
      return .unknownKind(rows.map(\.kind))
    }
    let operation = during ?? row.operation
    do throws(CirculationError) {
      let json = try Documents.success(status: status, body: body, retryAfter: nil, operation)
      return try row.read(json, operation, now)
    } catch {
      return .failure(error)
    }
  }

  private struct Row: Sendable {
    let kind: String
    /// What such an answer usually answers: the meaning of a status depends on it.
    let operation: Circulation.Operation
    let read: @Sendable (JSONValue, Circulation.Operation, Date) throws(CirculationError) -> Decoded
  }

  private static let rows: [Row] = [
    Row(kind: "edition", operation: .harvest) { json, operation, _ throws(CirculationError) in
      guard let wire = WireMetadata(json) else {
        throw Documents.malformed("metadata with an id", operation)
      }
      return .edition(wire.edition())
    },
    Row(kind: "editions", operation: .harvest) { json, operation, _ throws(CirculationError) in
      if json["metadata"]?.array != nil {
        return .editions(Documents.metadata(json).map { $0.edition() }, next: nil, total: nil)
      }
      let page = try Documents.page(json, operation)
      return .editions(
        page.editions(with: [:]), next: page.next.map { Links.clean($0.href) },
        total: page.totalItems)
    },
    Row(kind: "availability", operation: .availability) {
      json, operation, now throws(CirculationError) in
      let isList = json["availability"] != nil || json["totalItems"] != nil
      let wires =
        isList
        ? try Documents.availabilities(json, operation)
        : [try Documents.availability(json, operation)]
      let pairs = wires.map { (ItemID($0.reserveId ?? ""), $0.availability(asOf: now)) }
      return .availability(Dictionary(pairs) { first, _ in first })
    },
    Row(kind: "loan", operation: .checkOut, read: loans),
    Row(kind: "loans", operation: .shelf, read: loans),
    Row(kind: "holds", operation: .shelf, read: holds),
    Row(kind: "hold", operation: .placeHold, read: holds),
    Row(kind: "shelf", operation: .shelf) { json, operation, now throws(CirculationError) in
      var shelf = Shelf()
      if json["checkouts"] != nil || json["holds"] == nil {
        shelf.loans = try Documents.checkouts(json, operation).map { $0.loan(asOf: now) }
      }
      if json["holds"] != nil {
        shelf.holds = try Documents.holds(json, operation).map { $0.hold() }
      }
      return .shelf(shelf)
    },
    Row(kind: "fulfilment", operation: .fulfil) { json, operation, now throws(CirculationError) in
      // What answers a choice of format is a step on the way: a loan that is bound, no link yet.
      if json["links"]?["contentlink"] == nil, json["linkTemplates"] != nil {
        return try loans(json, operation, now)
      }
      let link = try Documents.contentLink(json, operation)
      return .fulfilment(link.fulfilment(asked: nil, asOf: now))
    },
    Row(kind: "token", operation: .checkAccount) { json, operation, _ throws(CirculationError) in
      let tokens = try Documents.tokens(json, operation)
      return .token(
        lifetime: tokens.lifetime.map { Int($0.components.seconds) }, scope: tokens.scope)
    },
    Row(kind: "account", operation: .checkAccount) {
      json, operation, _ throws(CirculationError) in
      .account(try Documents.patron(json, operation).standing())
    },
    Row(kind: "error", operation: .checkOut) { json, operation, _ throws(CirculationError) in
      // A loan or a hold that was asked for is none; of anything else nobody knows.
      guard json["reserveId"] != nil else { throw Documents.malformed("an error", operation) }
      return .noFailure
    },
  ]

  /// One loan, or a list of them.
  private static func loans(
    _ json: JSONValue, _ operation: Circulation.Operation, _ now: Date
  ) throws(CirculationError) -> Decoded {
    let found =
      json["reserveId"] == nil
      ? try Documents.checkouts(json, operation) : [try Documents.checkout(json, operation)]
    return .loans(found.map { $0.loan(asOf: now) })
  }

  private static func holds(
    _ json: JSONValue, _ operation: Circulation.Operation, _ now: Date
  ) throws(CirculationError) -> Decoded {
    let found =
      json["reserveId"] == nil
      ? try Documents.holds(json, operation) : [try Documents.hold(json, operation)]
    return .holds(found.map { $0.hold() })
  }
}
