import Circulation
import FoundationEssentials
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
  }

  private typealias Row = RecordedKind<Asked>

  private static let rows: [Row] = [
    Row(kind: "list", operation: .list, read: list),
    Row(kind: "lists", operation: .list) { asked throws(CirculationError) in
      let page = try asked.answer.payload(["shelves"], asked.operation)
      return .lists(page.all("user_shelf").compactMap { WireShelf($0)?.list() })
    },
    Row(kind: "friends", operation: .list) { asked throws(CirculationError) in
      .friends(try People.friends(try asked.answer.payload(["friends"], asked.operation)))
    },
    Row(kind: "account", operation: .checkAccount) { asked throws(CirculationError) in
      _ = try asked.answer.payload(["user"], asked.operation)
      return .account(AccountStanding())
    },
    Row(kind: "error", operation: .list) { asked throws(CirculationError) in
      try asked.answer.nod(asked.operation)
      return .noFailure
    },
  ]

  /// A page of reviews, one review, a search, or a feed: whatever holds books.
  @Sendable private static func list(_ asked: Asked) throws(CirculationError) -> Decoded {
    let names = ["reviews", "review", "my_review", "search", "rss"]
    let found = try asked.answer.payload(names, asked.operation)
    if found.isNamed("rss") {
      let feed = try Feed(asked.answer, asked.operation)
      return .listed(feed.items.map { $0.entry(on: feed.shelf) }, total: nil)
    }
    if found.isNamed("search") {
      return .listed(try Search.works(found), total: found.whole("total-results"))
    }
    let own = Shelf(owner: "")
    if found.isNamed("reviews") {
      let page = try ReviewPage(found, asked.operation)
      return .listed(page.reviews.map { $0.entry(on: own) }, total: page.total)
    }
    guard let review = WireReview(found) else {
      throw Documents.malformed("a review", asked.operation)
    }
    return .listed([review.entry(on: own)], total: 1)
  }
}
