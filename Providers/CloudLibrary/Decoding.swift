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
      return try row.read(
        try Documents.success(
          status: status, body: body, operation, isForReader: isForReader(operation)), now)
    } catch {
      return .failure(error)
    }
  }

  private static func isForReader(_ operation: Circulation.Operation) -> Bool {
    ![.harvest, .search, .availability].contains(operation)
  }

  private struct Row: Sendable {
    let kind: String
    /// What such an answer usually answers: the meaning of a status depends on it.
    let operation: Circulation.Operation
    let read: @Sendable (Documents.Answer, Date) throws(CirculationError) -> Decoded
  }

  /// Of a recorded answer nobody knows what the library allows.
  private static let terms = Terms(renewsByReturn: false)

  private static let rows: [Row] = [
    Row(kind: "edition", operation: .harvest) { answer, _ throws(CirculationError) in
      guard let edition = try editions(answer).first else {
        throw Documents.malformed("a title", answer.operation)
      }
      return .edition(edition)
    },
    Row(kind: "editions", operation: .harvest) { answer, _ throws(CirculationError) in
      .editions(try editions(answer), next: nil, total: nil)
    },
    Row(kind: "availability", operation: .availability) { answer, now throws(CirculationError) in
      let pairs = try availability(answer, now)
      return .availability(Dictionary(pairs) { first, _ in first })
    },
    Row(kind: "loan", operation: .checkOut, read: loans),
    Row(kind: "loans", operation: .shelf, read: loans),
    Row(kind: "hold", operation: .placeHold, read: holds),
    Row(kind: "holds", operation: .shelf, read: holds),
    Row(kind: "shelf", operation: .shelf) { answer, now throws(CirculationError) in
      .shelf(try Documents.shelf(answer).shelf(terms, asOf: now))
    },
    Row(kind: "fulfilment", operation: .fulfil) { answer, _ throws(CirculationError) in
      guard answer.root == nil else {
        return .fulfilment(try Documents.licence(answer).fulfilment(as: Formats.named("epub")))
      }
      return .fulfilment(try Documents.audioLicence(answer).fulfilment(as: Formats.named("mp3")))
    },
    Row(kind: "account", operation: .checkAccount) { answer, _ throws(CirculationError) in
      let result = try Documents.check(answer)
      guard result.uppercased() == "SUCCESS" else {
        throw Documents.error(
          Failures.standing(result), answer.operation, Failures.shown(result))
      }
      return .account(AccountStanding())
    },
    Row(kind: "error", operation: .checkOut) { answer, _ throws(CirculationError) in
      // What answers a command is none; whatever else it is, it is no success either.
      let isDone = ["CheckoutResult", "PlaceHoldResult"].contains {
        answer.root?.isNamed($0) == true
      }
      guard isDone else { throw Documents.unreadable(answer) }
      return .noFailure
    },
  ]

  private static func loans(_ answer: Documents.Answer, _ now: Date)
    throws(CirculationError) -> Decoded
  {
    if answer.root?.isNamed("CheckoutResult") == true {
      return .loans([try Documents.checkout(answer).loan(terms, asOf: now)])
    }
    return .loans(try Documents.shelf(answer).shelf(terms, asOf: now).loans)
  }

  private static func holds(_ answer: Documents.Answer, _ now: Date)
    throws(CirculationError) -> Decoded
  {
    if answer.root?.isNamed("PlaceHoldResult") == true {
      return .holds([try Documents.placedHold(answer).hold])
    }
    return .holds(try Documents.shelf(answer).shelf(terms, asOf: now).holds)
  }

  /// Items, MARC records, or the titles that events speak of.
  private static func editions(_ answer: Documents.Answer) throws(CirculationError) -> [Edition] {
    if let root = answer.root, root.isNamed("LibraryEventBatch") {
      return try Documents.events(answer).items.map { Edition(item: ItemID($0), title: "") }
    }
    if let root = answer.root, root.isNamed("ArrayOfItem") || root.isNamed("Item") {
      return try Documents.items(answer).map { $0.edition() }
    }
    // Nothing at all is the end of the records, and says nothing about items.
    if answer.isEmpty, answer.operation != .harvest { throw Documents.unreadable(answer) }
    return try Documents.marc(answer).records.map { $0.edition() }
  }

  private static func availability(_ answer: Documents.Answer, _ now: Date)
    throws(CirculationError) -> [(ItemID, Availability)]
  {
    guard let root = answer.root else { throw Documents.unreadable(answer) }
    if !root.everywhere("DocumentStatus").isEmpty || root.isNamed("DocumentStatus") {
      return try Documents.statuses(answer).map { (ItemID($0.id), $0.availability(asOf: now)) }
    }
    let summaries = root.everywhere("LibraryDocumentSummary").compactMap { WireSummary($0) }
    if !summaries.isEmpty {
      return summaries.map { (ItemID($0.id), $0.availability(asOf: now)) }
    }
    let counts = ([root] + root.everywhere("ItemCirculation")).compactMap { WireCirculation($0) }
    if !counts.isEmpty { return counts.map { (ItemID($0.itemID), $0.availability(asOf: now)) } }
    if root.isNamed("ArrayOfItemCirculation") { return [] }
    return try Documents.items(answer).map { (ItemID($0.itemID), $0.availability(asOf: now)) }
  }
}
