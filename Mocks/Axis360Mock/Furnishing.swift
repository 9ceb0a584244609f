import HTTP
import JSON
import MockKit

/// How the library of this vendor is set up for a scenario. Its switches stand in its settings, where
/// a test turns them: `token_seconds`, `status_mismatch` (the status of HTTP contradicts the body),
/// `code_shape` (`missing` or `letters`).
struct Furnishing {
  static let username = "carrelmock"
  static let password = "mock-vendor-secret"

  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    var lending = shelves
    scenario.arrange(&lending, now)
    let settings: JSONObject = [
      "username": .string(Self.username), "password": .string(Self.password),
      "token_seconds": 600, "status_mismatch": false, "code_shape": "digits",
      // Licensed once, and not any more.
      "inactive": scenario.titles == 0 ? [] : [.string(Self.titleID(seed, 9999))],
    ]
    return [
      MockLibrary(
        id: "demo", provider: Axis360Dialect.name, name: "Harbor Street Public Library",
        lending: lending, settings: settings,
        endpoints: { base in
          [
            "api": .string(base + "/Services/VendorAPI/"), "library_id": "demo",
            "username": .string(Self.username), "password": .string(Self.password),
            "licence": .string(base + "/axisnow/"),
          ]
        })
    ]
  }

  /// Ten digits with zeros in front, which are part of it.
  static func titleID(_ seed: UInt64, _ index: Int) -> String {
    var random = SeededRandom(seed: seed, for: "axis title \(index)")
    return "00" + random.digits(8)
  }

  private var shelves: LendingLibrary {
    var rules = LendingRules()
    rules.needsPIN = false
    rules.refusesHoldsOnAvailable = true
    rules.missedOffer = .dropsHold
    var lending = LendingLibrary(rules: rules)
    for card in scenario.cards { lending.add(card) }
    let seeded = SeededTitles(seed: seed)
    for index in 0..<scenario.titles {
      // Half of a small catalogue is also on other vendors' shelves, so that there is something to
      // merge.
      let pattern = seeded.title(12 + index, addedBefore: now)
      lending.add(furnished(pattern, index))
    }
    return lending
  }

  private func furnished(_ pattern: Title, _ index: Int) -> Title {
    var title = Title(
      id: Self.titleID(seed, index), name: pattern.name, authors: pattern.authors,
      copies: pattern.copies, added: pattern.added)
    (title.subtitle, title.narrator) = (pattern.subtitle, pattern.narrator)
    (title.series, title.language) = (pattern.series, pattern.language)
    (title.subjects, title.summary) = (pattern.subjects, pattern.summary)
    (title.publisher, title.published) = (pattern.publisher, pattern.published)
    (title.isbn, title.medium) = (pattern.isbn, pattern.medium)
    // The first titles are one of each kind, in the same place in every scenario.
    if index < 8 { title.medium = index == 3 ? "audiobook" : "ebook" }
    if title.medium != "audiobook" { (title.medium, title.narrator) = ("ebook", nil) }
    title.formats = formats(of: title, index)
    switch index {
    case 0: title.copies = .counted(3)
    case 1, 5: title.copies = .counted(2)
    case 2: title.copies = .unlimited
    case 4: title.copies = .counted(0)
    case 6: title.copies = .counted(1)
    default: break
    }
    return title
  }

  private func formats(of title: Title, _ index: Int) -> [String] {
    if title.medium == "audiobook" { return ["Acoustik"] }
    switch index % 5 {
    case 1: return ["PDF"]
    case 2: return ["Blio", "ePub", "AxisNow"]
    case 4: return ["Blio"]
    default: return ["ePub", "AxisNow"]
    }
  }
}
