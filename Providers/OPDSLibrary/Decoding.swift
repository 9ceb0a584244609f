import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import OPDS
import ProviderKit

/// Recorded bodies, read by the functions that the operations read with. Where they came from nobody
/// says, so what is relative in them is shown as of a host that cannot be.
enum Decoding {
  static func decode(
    _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    guard let home = try? Address("https://catalog.invalid/") else { return .unknownKind([]) }
    return rows.decoded(kind, during: during) { operation in
      Asked(
        reply: Reply(
          head: ReplyHead(status: Status(status), headers: [:]), body: body, address: home),
        operation: operation, now: now, settings: Settings(catalog: home))
    }
  }

  private struct Asked {
    let reply: Reply
    let operation: Circulation.Operation
    let now: Date
    let settings: Settings

    /// Of a feed or of one publication.
    func titles() throws(CirculationError) -> [Publication] {
      switch try Documents.document(reply, .strict, operation) {
      case .entry(let publication): return [publication]
      case .feed(let feed): return try Documents.shelf(feed, operation)
      default: throw Documents.malformed("a feed or a publication", operation)
      }
    }
  }

  private typealias Row = RecordedKind<Asked>

  private static let rows: [Row] = [
    Row(kind: "edition", operation: .harvest) { asked throws(CirculationError) in
      guard let edition = try asked.titles().first?.edition(in: asked.settings) else {
        throw Documents.malformed("a publication", asked.operation)
      }
      return .edition(edition)
    },
    Row(kind: "editions", operation: .harvest) { asked throws(CirculationError) in
      let feed = try Documents.feed(asked.reply, .mending, asked.operation)
      return .editions(
        feed.everyPublication.compactMap { $0.edition(in: asked.settings) },
        next: feed.next?.href, total: feed.total)
    },
    Row(kind: "availability", operation: .availability) { asked throws(CirculationError) in
      let pairs = try asked.titles().map {
        (asked.settings.item(of: $0), $0.availability(asOf: asked.now))
      }
      return .availability(Dictionary(pairs) { first, _ in first })
    },
    Row(kind: "loan", operation: .checkOut, read: loans),
    Row(kind: "loans", operation: .shelf, read: loans),
    Row(kind: "hold", operation: .placeHold, read: holds),
    Row(kind: "holds", operation: .shelf, read: holds),
    Row(kind: "shelf", operation: .shelf) { asked throws(CirculationError) in
      .shelf(Translation.shelf(try asked.titles(), in: asked.settings))
    },
    Row(kind: "fulfilment", operation: .fulfil) { asked throws(CirculationError) in
      guard asked.reply.status.isSuccess else {
        throw Documents.failure(asked.reply, asked.operation)
      }
      let format = Format(id: Types.bearer, content: .other, protection: .none)
      return .fulfilment(.file(try Documents.bearer(asked.reply, format, asked: asked.now)))
    },
    Row(kind: "token", operation: .checkAccount) { asked throws(CirculationError) in
      let tokens = try Documents.tokens(asked.reply, asked.operation)
      return .token(
        lifetime: tokens.lifetime.map { Int($0.components.seconds) }, scope: tokens.scope)
    },
    Row(kind: "account", operation: .checkAccount) { asked throws(CirculationError) in
      guard let standing = Documents.standing(asked.reply) else {
        throw Documents.failure(asked.reply, asked.operation)
      }
      return .account(standing)
    },
    Row(kind: "error", operation: .checkOut) { asked throws(CirculationError) in
      if asked.reply.status.isSuccess {
        _ = try Documents.document(asked.reply, .strict, asked.operation)
        throw Documents.malformed("an error", asked.operation)
      }
      throw Documents.failure(asked.reply, asked.operation)
    },
  ]

  @Sendable private static func loans(_ asked: Asked) throws(CirculationError) -> Decoded {
    .loans(try asked.titles().compactMap { $0.loan(in: asked.settings) })
  }

  @Sendable private static func holds(_ asked: Asked) throws(CirculationError) -> Decoded {
    .holds(try asked.titles().compactMap { $0.hold(in: asked.settings) })
  }
}
