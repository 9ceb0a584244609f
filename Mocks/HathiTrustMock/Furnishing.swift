import JSON
import MockKit

/// How the shelves look for a scenario. A title's formats are its volumes, each as `RIGHTS` or as
/// `PART=RIGHTS`; a title without any is open if it has copies, so that whoever fills shelves
/// without knowing this service gets what can be read and what cannot.
struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    var lending = LendingLibrary()
    for card in scenario.cards { lending.add(card) }
    let seeded = SeededTitles(seed: seed)
    for index in 0..<scenario.titles {
      // The same books as at the lenders, in part, so that there is something to merge.
      lending.add(furnished(seeded.title(index, addedBefore: now), index))
    }
    return [
      MockLibrary(
        id: "demo", provider: HathiTrustDialect.name, name: "HathiTrust", lending: lending,
        endpoints: { base in ["catalog": .string(base), "country": "us"] })
    ]
  }

  private func furnished(_ pattern: Title, _ index: Int) -> Title {
    var title = Title(
      id: Self.record(seed, index), name: pattern.name, authors: pattern.authors,
      copies: .unlimited, added: pattern.added)
    (title.subtitle, title.language, title.subjects) = (
      pattern.subtitle, pattern.language, pattern.subjects
    )
    (title.publisher, title.published) = (pattern.publisher, pattern.published)
    (title.isbn, title.formats) = (pattern.isbn, Self.volumes(index))
    return title
  }

  /// The first are one of each kind, in the same place in every scenario.
  private static func volumes(_ index: Int) -> [String] {
    switch index {
    case 0: ["pd"]
    case 1: ["pdus"]
    case 2: ["ic"]
    case 3: ["icus"]
    case 4: ["ic-world"]
    case 5: ["und-world"]
    case 6: ["v.1=pd", "v.2=ic", "v.3=pdus"]
    case 7: ["cc-by-4.0"]
    default: [codes[index % 5]]
    }
  }

  private static let codes = ["ic", "ic", "pd", "und", "pdus"]

  static func record(_ seed: UInt64, _ index: Int) -> String {
    var random = SeededRandom(seed: seed, for: "hathitrust record \(index)")
    return "00" + random.digits(7)
  }
}
