import JSON
import MockKit

/// The collection for a scenario: everything without limit, for everybody.
struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    let settings: JSONObject = ["odd": .bool(scenario.titles > 0), "robots_page": false]
    return [
      MockLibrary(
        id: GutenbergDialect.name, provider: GutenbergDialect.name, name: "Project Gutenberg",
        lending: shelves, settings: settings,
        endpoints: { base in
          [
            "feeds": .string(base + "/cache/epub/feeds"), "mirror": .string(base),
            "site": .string(base),
          ]
        })
    ]
  }

  /// What is half as old as the others' catalogue, so that some of it is on several shelves.
  private var shelves: LendingLibrary {
    var rules = LendingRules()
    rules.needsPIN = false
    var lending = LendingLibrary(rules: rules)
    for card in scenario.cards { lending.add(card) }
    let seeded = SeededTitles(seed: seed)
    for index in 0..<scenario.titles {
      let pattern = seeded.title(18 + index, addedBefore: now)
      var title = Title(
        id: String(100 + index), name: pattern.name, authors: pattern.authors, copies: .unlimited,
        added: pattern.added)
      (title.subtitle, title.language) = (pattern.subtitle, pattern.language)
      (title.subjects, title.popularity) = (pattern.subjects, pattern.popularity)
      title.medium = index == 7 ? "audiobook" : "ebook"
      title.formats = title.medium == "audiobook" ? ["mp3"] : ["epub", "txt"]
      lending.add(title)
    }
    return lending
  }
}
