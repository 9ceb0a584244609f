import Catalog
import Circulation
import Desk
import FoundationEssentials
import FrontDesk
import Registry
import Shelving

@testable import Facade

/// What stands in the two libraries.
extension ReadingRoom {
  static let lanes: [Lane] = {
    var new = LaneRule()
    new.addedWithin = 400
    var mystery = LaneRule()
    mystery.subjects = ["mystery"]
    var children = LaneRule()
    children.audiences = ["children"]
    var queued = LaneRule()
    queued.standing = .queued
    return [
      Lane(id: "new", title: "New", .rule(new), order: .added),
      Lane(id: "popular", title: "Popular", .rule(LaneRule())),
      Lane(id: "to-hold", title: "To hold", .rule(queued)),
      Lane(id: "recommended", title: "Recommended", .recommendation(LaneRule())),
      Lane(
        id: "fiction", title: "Fiction & more", .rule(LaneRule()), order: .title,
        lanes: [
          Lane(id: "mystery", title: "Mystery", .rule(mystery)),
          Lane(id: "children", title: "For children", .rule(children)),
        ]),
    ]
  }()

  static func book(
    _ item: String, _ title: String, _ change: (inout Edition) -> Void = { _ in }
  ) -> Edition {
    var edition = Edition(item: ItemID(item), title: title)
    edition.contributors = [Contributor(name: "Quill, Ada", sortName: "Quill, Ada", role: .author)]
    edition.languages = ["en"]
    edition.added = "2026-12-01"
    edition.formats = [Format(id: "epub-adobe", content: .epub, protection: .adobe)]
    change(&edition)
    return edition
  }

  /// Sixty plain ones, and some that are hard to write.
  func fill() async throws {
    var books = (1...60).map { number in
      Self.book("t\(number)", number == 1 ? "The Glass Ferry" : "Volume \(number) of Everything") {
        $0.contributors = [
          Contributor(name: number == 1 ? "Ada Quill" : "Author \(number)", role: .author)
        ]
        $0.subjects = number % 3 == 0 ? ["Mystery", "Ships"] : ["Gardens"]
        $0.audience = number % 5 == 0 ? .children : .adult
        $0.popularity = Double(100 - number)
        $0.isbns = [ISBN("978000000\(number < 10 ? "0" : "")\(number)0")].compactMap { $0 }
      }
    }
    books.append(
      Self.book("hard", "Cafe\u{301} & <Co> \u{1}\"Zürich\"") {
        $0.subtitle = "A \u{FFFE}tale"
        $0.contributors = [
          Contributor(name: "Ada Quill", role: .author),
          Contributor(name: "Bo Lee", role: .author),
          Contributor(name: "Nan Reader", role: .narrator),
        ]
        $0.series = Series(name: "Saga", position: 2)
        $0.summary = "<p>First &amp; <b>bold</b>.</p><script>alert(1)</script><p>Second.</p>"
        $0.covers = Covers(large: "https://pictures.example/hard.jpg")
        $0.published = PartialDate(year: 1901)
        $0.publisher = "Elm & Sons"
      })
    books.append(
      Self.book("free", "A Free Book") {
        $0.formats = [Format(id: "epub", content: .epub, protection: .none)]
        $0.medium = .book
      })
    try await catalog.take(books, of: town, provider: lender)
    try await catalog.take(
      [
        Self.book("c1", "The Glass Ferry") {
          $0.contributors = [Contributor(name: "Ada Quill", role: .author)]
          $0.subjects = ["Gardens"]
          $0.formats = [
            Format(id: "lcp", content: .epub, protection: .lcp),
            Format(id: "lcp-pdf", content: .pdf, protection: .lcp),
          ]
        }
      ], of: county, provider: lender)
    var told: [ItemID: Availability] = [:]
    for number in 1...60 {
      told[ItemID("t\(number)")] =
        number % 2 == 0
        ? Self.available(.available(.init(total: 5, available: 2, holds: 0)))
        : Self.available(.queued(.init(total: 5, available: 0, holds: 12)))
    }
    told[ItemID("hard")] = Self.available(.available(.init()))
    told[ItemID("free")] = Self.available(.openAccess)
    try await catalog.note(told, at: town)
    try await catalog.note(
      [ItemID("c1"): Self.available(.available(.init(total: 2, available: 1, holds: 0)))],
      at: county)
  }

  static func available(
    _ status: Availability.Status, at second: Double = 1_798_000_000
  ) -> Availability {
    Availability(status, asOf: Date(timeIntervalSince1970: second))
  }

  static let account = Account(
    id: AccountID("a1"), patron: PatronID("ada"), name: "town", provider: lender, library: town,
    linkedAt: 0)

  /// Ada has one book on loan and waits for another.
  func lend() {
    var loan = Loan(item: ItemID("t2"), until: Date(timeIntervalSince1970: 1_800_000_000))
    loan.since = Date(timeIntervalSince1970: 1_798_000_000)
    loan.formats = [
      Format(id: "epub-adobe", content: .epub, protection: .adobe),
      Format(id: "kindle", content: .kindle, protection: .vendorApp),
    ]
    var waiting = Hold(item: ItemID("t3"), status: .waiting(position: 3, total: 2))
    waiting.since = Date(timeIntervalSince1970: 1_797_000_000)
    let ready = Hold(
      item: ItemID("t5"), status: .ready(until: Date(timeIntervalSince1970: 1_799_000_000)))
    let asOf = Date(timeIntervalSince1970: 1_798_500_000)
    state.withLock { state in
      state.shelf = ReaderShelf(
        accounts: [Self.account],
        loans: [KeptLoan(account: Self.account.id, loan: loan, asOf: asOf)],
        holds: [
          KeptHold(account: Self.account.id, hold: waiting, asOf: asOf),
          KeptHold(account: Self.account.id, hold: ready, asOf: asOf),
        ], stale: [])
    }
  }
}
