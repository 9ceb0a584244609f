import Circulation
import FoundationEssentials
import ProviderKit

/// Recorded bodies, read by the functions that the operations read with.
enum Decoding {
  static func decode(
    _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    rows.decoded(kind, during: during) { operation in
      Asked(answer: Answer(status: status, body: body, at: now), operation: operation)
    }
  }

  private struct Asked {
    let answer: Answer
    let operation: Circulation.Operation
  }

  private static let rows: [RecordedKind<Asked>] = [
    RecordedKind(kind: "list", operation: .list) { asked throws(CirculationError) in
      let page = try Documents.volumes(asked.answer, asked.operation)
      return .listed(page.volumes.map { $0.entry() }, total: page.total)
    },
    RecordedKind(kind: "lists", operation: .list) { asked throws(CirculationError) in
      .lists(try Documents.shelves(asked.answer, asked.operation).map { $0.list() })
    },
    RecordedKind(kind: "token", operation: .checkAccount) { asked throws(CirculationError) in
      let tokens = try Documents.tokens(asked.answer, asked.operation)
      return .token(
        lifetime: tokens.lifetime.map { Int($0.components.seconds) }, scope: tokens.scope)
    },
    RecordedKind(kind: "error", operation: .list) { asked throws(CirculationError) in
      try Documents.nod(asked.answer, asked.operation)
      return .noFailure
    },
  ]
}
