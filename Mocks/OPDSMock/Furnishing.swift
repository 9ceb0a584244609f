import JSON
import MockKit

/// How the libraries of this protocol are set up for a scenario. Their switches stand in their
/// settings, where a test turns them:
///
/// - `format`: `negotiated`, `atom` or `json`
/// - `flows`: of `basic`, `oauth` and `basic-token`; nothing where nobody signs in
/// - `token_seconds`, `page_size`
/// - `checkouts`: at a distributor, the loans that a counted right is good for
/// - `access`: `public`, or `private` where strangers see nothing at all
/// - `blocks`: `everything` turns an expired or blocked card away at the door, `borrowing` lets it
///   look at its shelf
/// - `renewals`: `borrow-again`, or `never` as at Palace, where a loan is only shown again
/// - `quirks`: names of `Quirk`
struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    [
      lender("lantern", "Lantern Bay Library", format: "negotiated", flows: ["basic"]),
      lender("beacon", "Beacon Hill Library", format: "json", flows: ["oauth"]),
      distributor("stacks", "The Stacks"),
      free("quillpress", "Quill Press", at: "/quillpress/feeds/opds"),
      free("calibre", "A Shelf at Home", at: "/calibre/opds"),
    ]
  }

  // MARK: Who lends

  private func lender(_ id: String, _ name: String, format: String, flows: [JSONValue])
    -> MockLibrary
  {
    var rules = LendingRules()
    rules.missedOffer = .dropsHold
    var lending = LendingLibrary(rules: rules)
    for card in scenario.cards { lending.add(card) }
    // Half of one library is also on other vendors' shelves, so that there is something to merge.
    let first = id == "lantern" ? 14 : 400_000
    for index in 0..<scenario.titles { lending.add(lent(index, first)) }
    let open = lending.order.count > 8 ? [lending.order[8]] : []
    scenario.arrange(&lending, now)
    return MockLibrary(
      id: id, provider: OPDSDialect.name, name: name, lending: lending,
      settings: [
        "format": .string(format), "flows": .array(flows), "token_seconds": 3600,
        "page_size": 50, "access": "public", "blocks": "everything", "renewals": "borrow-again",
        "quirks": [],
        // Titles that may be had without a card as well.
        "open_access": .array(open.map(JSONValue.string)),
      ],
      endpoints: { base in
        [
          "catalog": .string("\(base)/\(id)/"), "crawlable": .string("\(base)/\(id)/crawlable"),
          "authentication": .string("\(base)/\(id)/authentication_document"),
          "opds2": .string("\(base)/\(id)/opds2/"), "library_id": .string(id),
        ]
      })
  }

  /// Every title may be lent with a licence; the scenario's cards are the libraries that do.
  private func distributor(_ id: String, _ name: String) -> MockLibrary {
    var lending = LendingLibrary()
    for card in scenario.cards { lending.add(card) }
    for index in 0..<min(scenario.titles, 60) {
      var title = SeededTitles(seed: seed).title(700_000 + index, addedBefore: now)
      (title.medium, title.narrator, title.formats) = ("ebook", nil, ["epub-lcp"])
      title.copies = .counted(index % 4)
      lending.add(title)
    }
    return MockLibrary(
      id: id, provider: OPDSDialect.name, name: name, lending: lending,
      settings: [
        "format": "json", "flows": ["basic"], "page_size": 25, "blocks": "everything",
        "checkouts": 40, "quirks": [],
      ],
      endpoints: { base in
        ["catalog": .string("\(base)/\(id)/"), "library_id": .string(id)]
      })
  }

  /// The first ten titles are one of each kind, in the same place in every scenario.
  private func lent(_ index: Int, _ first: Int) -> Title {
    var title = SeededTitles(seed: seed).title(first + index, addedBefore: now)
    if index < 10 { title.medium = index == 3 ? "audiobook" : "ebook" }
    if title.medium != "audiobook" { title.narrator = nil }
    switch (title.medium, index % 5) {
    case ("audiobook", _): title.formats = index == 3 ? ["audiobook"] : ["audiobook-lcp"]
    case (_, 1): title.formats = ["epub-adobe", "pdf-adobe"]
    case (_, 2): title.formats = ["epub-lcp"]
    case (_, 4): title.formats = ["epub-bearer", "pdf"]
    default: title.formats = ["epub"]
    }
    switch index {
    case 0: title.copies = .counted(3)
    case 1, 5: title.copies = .counted(2)
    case 2, 8: title.copies = .unlimited
    case 4: title.copies = .counted(0)
    case 6: title.copies = .counted(1)
    default: break
    }
    return title
  }

  // MARK: Who gives away

  private func free(_ id: String, _ name: String, at path: String) -> MockLibrary {
    var lending = LendingLibrary()
    let first = id == "calibre" ? 600_000 : 500_000
    for index in 0..<scenario.titles {
      var title = SeededTitles(seed: seed).title(first + index, addedBefore: now)
      (title.medium, title.narrator, title.copies) = ("ebook", nil, .unlimited)
      title.formats = index % 4 == 3 ? ["epub", "pdf"] : ["epub"]
      lending.add(title)
    }
    return MockLibrary(
      id: id, provider: OPDSDialect.name, name: name, lending: lending,
      settings: ["quirks": [], "page_size": id == "calibre" ? 30 : 1000],
      endpoints: { base in
        ["catalog": .string(base + path), "library_id": .string(id)]
      })
  }
}

/// What a server does that none should, by the name that a library's `quirks` list it under.
enum Quirk: String, CaseIterable {
  // Pages and lists.
  case nextSelf = "next-self"
  case nextLoop = "next-loop"
  case overlap, prev, shrunken
  case noTotals = "no-totals"
  // Entries.
  case missingIDs = "missing-ids"
  case repeatedIDs = "repeated-ids"
  case hugeSummary = "huge-summary"
  case escapedTwice = "escaped-twice"
  case messages
  case oddHolds = "odd-holds"
  case noCounts = "no-counts"
  case badEntry = "bad-entry"
  /// Files behind addresses that are to be filled in.
  case templated
  // Dates and addresses.
  case zonelessDates = "zoneless-dates"
  case fractionalDates = "fractional-dates"
  case xmlBase = "xml-base"
  case rootRelative = "root-relative"
  case otherHost = "other-host"
  // Documents.
  case wrongType = "wrong-type"
  case httpsNamespace = "https-namespace"
  case entities
  case leadingLines = "leading-lines"
  case trailingText = "trailing-text"
  case nulls
  case shortRelations = "short-relations"
  case languageMaps = "language-maps"
  // Doors.
  case loginPage = "login-page"
  case bareChallenge = "bare-challenge"
  case linksAsObject = "links-as-object"
}
