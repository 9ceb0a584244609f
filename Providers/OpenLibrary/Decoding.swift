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
      Asked(answer: Answer(status: status, body: body), operation: operation, now: now)
    }
  }

  private struct Asked {
    let answer: Answer
    let operation: Circulation.Operation
    let now: Date

    func object() throws(CirculationError) -> JSONValue {
      try Documents.object(answer, operation)
    }
  }

  private typealias Row = RecordedKind<Asked>

  private static let rows: [Row] = [
    Row(kind: "list", operation: .list, read: list),
    Row(kind: "lists", operation: .list) { asked throws(CirculationError) in
      let lists = try asked.object()["entries"]
      return .lists(
        try Documents.list(lists, "lists", asked.operation, WireList.init).map(\.list))
    },
    Row(kind: "availability", operation: .availability) { asked throws(CirculationError) in
      let json = try asked.object()
      // Under whatever they were asked by: the work that each is about stands inside.
      let pairs = (json.object?.members ?? []).compactMap { member in
        let name = member.value["openlibrary_work"]?.words ?? member.name
        return Key(name, .work).map { ($0, member.value) }
      }
      let told = JSONValue.object(JSONObject(pairs.map { .init($0.0.name, $0.1) }))
      return .availability(
        try Translation.availability(
          told, of: pairs.map(\.0), asOf: asked.now, asked.operation))
    },
    Row(kind: "error", operation: .list) { asked throws(CirculationError) in
      _ = try asked.object()
      return .noFailure
    },
  ]

  /// A page of the reading log, or what a search found.
  @Sendable private static func list(_ asked: Asked) throws(CirculationError) -> Decoded {
    let json = try asked.object()
    if json["docs"] != nil {
      let found = try WireFound.docs(json, asked.operation).map { found in
        Translation.entry(
          found.key, found.title, found.authors, year: found.firstPublishYear, at: nil)
      }
      return .listed(found, total: json["numFound"]?.whole)
    }
    let page = try LogPage(json, asked.operation)
    let entries = page.entries.map { logged in
      var entry = Translation.entry(
        logged.key, logged.title, logged.authors, year: logged.firstPublishYear, at: nil)
      entry.record = logged.key.name
      if let edition = logged.edition { entry.identifiers.append(edition.identifier) }
      entry.addedAt = logged.date
      return entry
    }
    return .listed(entries, total: page.total)
  }
}
