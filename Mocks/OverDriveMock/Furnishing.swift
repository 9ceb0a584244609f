import JSON
import MockKit

/// How OverDrive's libraries are set up for a scenario: a consortium with an Advantage account, and
/// a small library whose readers have no PIN.
struct Furnishing {
  static let clientKey = "CARRELMOCK"
  static let clientSecret = "mock-secret"

  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] { [consortium, pinless] }

  private var consortium: MockLibrary {
    var lending = shelves(first: 0, count: scenario.titles, rules: rules(needsPIN: true))
    scenario.arrange(&lending, now)
    var shares: JSONObject = [:]
    for (index, id) in lending.order.enumerated() {
      if index == 7 {
        shares[id] = ["account": 3, "owned": 1, "shared": false, "only": true]
      } else if index % 6 == 5 {
        shares[id] = ["account": 3, "owned": 1, "shared": .bool(index % 12 == 5), "only": false]
      }
    }
    var settings = common("4225", website: 100300, ils: "mockville", type: "Consortium")
    settings["shares"] = .object(shares)
    settings["advantage"] = [
      [
        "id": 3, "name": "Mockville Harbor Branch",
        "collectionToken": .string(token("advantage 3")),
      ],
      [
        "id": 9, "name": "Mockville Old Mill (Inactive)",
        "collectionToken": .string(token("advantage 9")),
      ],
    ]
    return library("4225", "Mockville Library Consortium", lending, settings)
  }

  private var pinless: MockLibrary {
    var lending = shelves(
      first: 100_000, count: min(scenario.titles, 40), rules: rules(needsPIN: false))
    scenario.arrange(&lending, now)
    let settings = common("4300", website: 100301, ils: "lantern", type: "Library")
    return library("4300", "Lantern Street Library", lending, settings)
  }

  private func library(
    _ id: String, _ name: String, _ lending: LendingLibrary, _ settings: JSONObject
  ) -> MockLibrary {
    MockLibrary(
      id: id, provider: OverDriveDialect.name, name: name, lending: lending, settings: settings,
      endpoints: { base in
        var object: JSONObject = [
          "discovery": .string(base), "patron": .string(base), "oauth": .string(base),
          "patron_oauth": .string(base), "library_id": .string(id),
        ]
        for name in ["client_key", "client_secret", "website_id", "ils_name", "needs_pin"] {
          object[name] = settings[name]
        }
        // The same as a gateway's settings would have them.
        object["authorization_name"] = settings["ils_name"]
        object["pin_required"] = settings["needs_pin"]
        return object
      })
  }

  private func common(_ id: String, website: Int, ils: String, type: String) -> JSONObject {
    [
      "client_key": .string(Self.clientKey), "client_secret": .string(Self.clientSecret),
      "website_id": .integer(website), "ils_name": .string(ils), "type": .string(type),
      "collection_token": .string(token("collection \(id)")), "needs_pin": .bool(id == "4225"),
    ]
  }

  private func token(_ name: String) -> String {
    var random = SeededRandom(seed: seed, for: name)
    return "v1L" + random.token(14)
  }

  private func rules(needsPIN: Bool) -> LendingRules {
    var rules = LendingRules()
    rules.needsPIN = needsPIN
    rules.formatsThatStay = ["ebook-epub-adobe", "ebook-pdf-adobe", "ebook-kindle"]
    return rules
  }

  private func shelves(first: Int, count: Int, rules: LendingRules) -> LendingLibrary {
    var lending = LendingLibrary(rules: rules)
    for card in scenario.cards { lending.add(card) }
    let titles = SeededTitles(seed: seed)
    for index in 0..<count {
      var title = titles.title(first + index, addedBefore: now)
      furnish(&title, index)
      lending.add(title)
    }
    return lending
  }

  /// The first ten titles are one of each kind, in the same place in every scenario.
  private func furnish(_ title: inout Title, _ index: Int) {
    if index < 10 {
      title.medium = index == 3 ? "audiobook" : index == 9 ? "magazine" : "ebook"
      if title.medium == "ebook" { title.narrator = nil }
    }
    switch title.medium {
    case "audiobook": title.formats = ["audiobook-overdrive", "audiobook-mp3"]
    case "magazine":
      title.formats = ["magazine-overdrive"]
      title.copies = .unlimited
    default:
      title.formats =
        index % 3 == 0
        ? ["ebook-overdrive", "ebook-epub-open"]
        : ["ebook-overdrive", "ebook-epub-adobe", "ebook-kindle"]
      if index == 8 { title.formats = ["ebook-overdrive", "ebook-pdf-open"] }
    }
    switch index {
    case 0: title.copies = .counted(3)
    case 1: title.copies = .counted(2)
    case 2: title.copies = .unlimited
    case 4: title.copies = .counted(0)
    case 5: title.copies = .counted(2)
    case 6: title.copies = .counted(1)
    case 7: title.copies = .counted(1)
    default: break
    }
  }
}
