import Circulation
import FoundationEssentials
import HTTP
import JSON
import ProviderKit

/// Recorded bodies, read by the functions that the operations read with.
enum Decoding {
  static func decode(
    _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    rows.decoded(kind, during: during) { operation in
      Asked(answer: Answer(status: status, body: body), operation: operation)
    }
  }

  private struct Asked {
    let answer: Answer
    let operation: Circulation.Operation

    func readable(_ thing: Failures.Thing) throws(CirculationError) -> Answer {
      guard let reason = Failures.reason(answer, thing) else { return answer }
      throw Failures.failure(reason, operation, status: answer.status)
    }
  }

  private typealias Row = RecordedKind<Asked>

  private static let rows: [Row] = [
    Row(kind: "list", operation: .list) { asked throws(CirculationError) in
      let json = try Documents.object(asked.readable(.shelf), asked.operation)
      let page = try WirePage(json, asked.operation)
      return .listed(
        page.editions.map { $0.entry(on: ListID(Self.slug(of: json)), by: $0.named) },
        total: json["totalItems"]?.whole)
    },
    Row(kind: "lists", operation: .list) { asked throws(CirculationError) in
      let json = try Documents.object(asked.readable(.shelf), asked.operation)
      return .lists([try WireShelf(json, asked.operation).list(Self.slug(of: json))])
    },
    Row(kind: "account", operation: .checkAccount) { asked throws(CirculationError) in
      try Documents.person(asked.readable(.profile), asked.operation)
      return .account(AccountStanding())
    },
    Row(kind: "error", operation: .list) { asked throws(CirculationError) in
      _ = try Documents.object(asked.readable(.shelf), asked.operation)
      return .noFailure
    },
  ]

  /// `https://…/books/to-read?page=2` is of the shelf `to-read`.
  private static func slug(of json: JSONValue) -> String {
    let place = (json["partOf"] ?? json["id"])?.words.flatMap { try? Address($0) }
    return place?.path.split(separator: "/").last.map(String.init) ?? ""
  }
}
