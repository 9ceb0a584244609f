import JSON
import MockKit

/// How this service's libraries are set up for a scenario: a city library, and one whose readers have
/// no PIN and whose server is an older one.
struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    [
      library(
        "qs7tmf", "Quayside Public Library", first: Self.main, count: scenario.titles,
        ["account_id": "library.quayside", "account_key": "quayside-mock-key"], needsPIN: true),
      library(
        "h4tmf", "Hillcrest Village Library", first: 300_000, count: min(scenario.titles, 40),
        [
          "account_id": "library.hillcrest", "account_key": "hillcrest-mock-key",
          // It refuses who has the title already, where newer ones say so with 200.
          "refuses_repeats": true,
        ], needsPIN: false),
    ]
  }

  private static let main = 200_000

  private func library(
    _ id: String, _ name: String, first: Int, count: Int, _ own: JSONObject, needsPIN: Bool
  ) -> MockLibrary {
    var rules = LendingRules()
    rules.needsPIN = needsPIN
    rules.refusesHoldsOnAvailable = true
    rules.missedOffer = .dropsHold
    var lending = LendingLibrary(rules: rules)
    for card in scenario.cards { lending.add(card) }
    let titles = SeededTitles(seed: seed)
    var settings = own
    settings["needs_pin"] = .bool(needsPIN)
    for index in 0..<count {
      // Most of the larger one is also on other vendors' shelves, so that there is something to merge.
      let place = first == Self.main ? 6 + index : first + index
      let title = title(titles.title(place, addedBefore: now), first + index, index)
      lending.add(title)
      if index == 4 { settings["prepublished"] = [.string(title.id)] }
    }
    scenario.arrange(&lending, now)
    let told = settings
    return MockLibrary(
      id: id, provider: CloudLibraryDialect.name, name: name, lending: lending,
      settings: settings,
      endpoints: { base in
        [
          "partner": .string(base), "library_id": .string(id),
          "account_id": told["account_id"] ?? "", "account_key": told["account_key"] ?? "",
          "pin_required": .bool(needsPIN),
        ]
      })
  }

  /// Ids are short here. The first ten titles are one of each kind, in the same place in every
  /// scenario.
  private func title(_ pattern: Title, _ number: Int, _ index: Int) -> Title {
    var random = SeededRandom(seed: seed, for: "item \(number)")
    var title = Title(
      id: Self.itemID(&random), name: pattern.name, authors: pattern.authors,
      copies: pattern.copies, added: pattern.added)
    (title.subtitle, title.narrator) = (pattern.subtitle, pattern.narrator)
    (title.series, title.seriesPosition) = (pattern.series, pattern.seriesPosition)
    (title.language, title.subjects) = (pattern.language, pattern.subjects)
    (title.summary, title.publisher) = (pattern.summary, pattern.publisher)
    (title.published, title.isbn) = (pattern.published, pattern.isbn)
    (title.medium, title.popularity) = (pattern.medium, pattern.popularity)
    if index < 10 { title.medium = index == 3 ? "audiobook" : "ebook" }
    let books = ["EPUB", "EPUB3", "PDF"]
    title.formats = title.medium == "audiobook" ? ["MP3"] : [books[index % 3]]
    if title.medium != "audiobook" { title.narrator = nil }
    switch index {
    case 0: title.copies = .counted(3)
    case 1, 5: title.copies = .counted(2)
    case 4: title.copies = .counted(0)
    case 6, 7: title.copies = .counted(1)
    default: break
    }
    return title
  }

  static func itemID(_ random: inout SeededRandom) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<6).map { _ in random.pick(letters) }) + "9"
  }
}
