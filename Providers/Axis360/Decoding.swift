import Circulation
import FoundationEssentials
import JSON
import ProviderKit

/// Recorded bodies, read by the functions that the operations read with.
enum Decoding {
  static func decode(
    _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    rows.decoded(kind, during: during) { operation in
      Asked(status: status, body: body, operation: operation, now: now)
    }
  }

  private struct Asked {
    let status: Int
    let body: [UInt8]
    let operation: Circulation.Operation
    let now: Date

    func answer() throws(CirculationError) -> WireAnswer {
      try Documents.answer(
        status: status, body: body, charset: nil, retryAfter: nil, operation)
    }

    /// Whatever a reader has; the list of holds is a document of its own.
    func titles() throws(CirculationError) -> [WireTitle] {
      try Documents.shelvedTitles(try answer(), operation)
    }
  }

  private typealias Row = RecordedKind<Asked>

  private static let rows: [Row] = [
    Row(kind: "edition", operation: .harvest) { asked throws(CirculationError) in
      guard let edition = try editions(asked).found.first else {
        throw Documents.malformed("metadata with an id", asked.operation)
      }
      return .edition(edition)
    },
    Row(kind: "editions", operation: .harvest) { asked throws(CirculationError) in
      let page = try editions(asked)
      return .editions(page.found, next: page.next, total: page.total)
    },
    Row(kind: "availability", operation: .availability) { asked throws(CirculationError) in
      let pairs = try asked.titles().map { ($0.item, $0.availability(asOf: asked.now)) }
      return .availability(Dictionary(pairs) { first, _ in first })
    },
    Row(kind: "loan", operation: .checkOut, read: loans),
    Row(kind: "loans", operation: .shelf, read: loans),
    Row(kind: "hold", operation: .placeHold, read: holds),
    Row(kind: "holds", operation: .shelf, read: holds),
    Row(kind: "shelf", operation: .shelf) { asked throws(CirculationError) in
      .shelf(Translation.shelf(try asked.titles()))
    },
    Row(kind: "fulfilment", operation: .fulfil, read: fulfilment),
    Row(kind: "token", operation: .checkAccount) { asked throws(CirculationError) in
      let tokens = try Documents.tokens(
        status: asked.status, body: asked.body, retryAfter: nil, asked.operation)
      return .token(
        lifetime: tokens.lifetime.map { Int($0.components.seconds) }, scope: tokens.scope)
    },
    Row(kind: "account", operation: .checkAccount) { asked throws(CirculationError) in
      _ = try asked.titles()
      return .account(AccountStanding())
    },
    Row(kind: "error", operation: .checkOut) { asked throws(CirculationError) in
      _ = try asked.answer().checked(asked.operation)
      return .noFailure
    },
  ]

  private static func editions(_ asked: Asked) throws(CirculationError)
    -> (found: [Edition], next: String?, total: Int?)
  {
    let answer = try asked.answer()
    if answer.xml != nil {
      return (try Documents.titles(answer, asked.operation).map { $0.edition() }, nil, nil)
    }
    let page = try Documents.inventory(answer, asked.operation)
    let next = page.hasNext(after: 1) ? page.currentPage.map { String($0 + 1) } : nil
    return (page.titles.map { $0.edition() }, next, page.totalCount)
  }

  /// A shelf, or the answer to a checkout, which does not say of what.
  @Sendable private static func loans(_ asked: Asked) throws(CirculationError) -> Decoded {
    let answer = try asked.answer()
    guard let root = answer.xml, WireCheckout(root) != nil else {
      return .loans(try asked.titles().compactMap { $0.loan() })
    }
    let checkout = try Documents.checkout(answer, asked.operation)
    return .loans([checkout.loan(of: ItemID(""), as: nil)])
  }

  @Sendable private static func holds(_ asked: Asked) throws(CirculationError) -> Decoded {
    let answer = try asked.answer()
    if let root = answer.xml, WirePlacedHold(root) != nil {
      return .holds([try Documents.placedHold(answer, asked.operation).hold(on: ItemID(""))])
    }
    // The list of holds is a document of its own, and its root has been seen by nobody we know.
    let listed = try Documents.holds(answer, asked.operation)
    if !listed.isEmpty { return .holds(listed.map { $0.hold() }) }
    return .holds(try asked.titles().compactMap { $0.hold() })
  }

  @Sendable private static func fulfilment(_ asked: Asked) throws(CirculationError) -> Decoded {
    // The licence server says nothing of success.
    if let json = WireAnswer(
      status: asked.status, body: asked.body, charset: nil, retryAfter: nil)?.json,
      let licence = WireLicence(json)
    {
      return .fulfilment(licence.fulfilment())
    }
    let answer = try asked.answer()
    if answer.xml != nil {
      let titles = try asked.titles()
      guard let found = titles.lazy.compactMap({ $0.fulfilment() }).first else {
        throw Documents.failure(
          titles.contains { $0.availability.isCheckedout } ? .formatUnavailable : .notBorrowed,
          asked.operation, says: nil)
      }
      return .fulfilment(found)
    }
    guard let json = try answer.checked(asked.operation).json else {
      throw Documents.malformed("a fulfilment", asked.operation)
    }
    if let audiobook = WireAudiobook(json) { return .fulfilment(audiobook.fulfilment()) }
    guard let wire = WireFulfilment(json) else {
      throw Documents.malformed("a fulfilment", asked.operation)
    }
    guard !wire.isSessionExpired else {
      throw Documents.failure(.providerUnavailable, asked.operation, says: "session expired")
    }
    return .fulfilment(wire.fulfilment())
  }
}
