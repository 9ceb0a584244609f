import JSON
import MockKit

/// A town's library of paper for a scenario, and a village's, which asks for no PIN.
struct Furnishing {
  private let scenario: Scenario
  private let seed: UInt64
  private let now: Moment

  init(_ scenario: Scenario, _ seed: UInt64, _ now: Moment) {
    (self.scenario, self.seed, self.now) = (scenario, seed, now)
  }

  var libraries: [MockLibrary] {
    [
      library("bridgeport", "Bridgeport Town Library", first: 1000, needsPIN: true),
      library("alder", "Alder Village Library", first: 5000, needsPIN: false),
    ]
  }

  private func library(_ id: String, _ name: String, first: Int, needsPIN: Bool) -> MockLibrary {
    var rules = LendingRules()
    rules.needsPIN = needsPIN
    (rules.wholeDays, rules.fetchesByHand) = (true, true)
    (rules.missedOffer, rules.offerPeriod) = (.dropsHold, 3 * LendingRules.day)
    var lending = LendingLibrary(rules: rules)
    for card in scenario.cards + Self.troubled { lending.add(settled(card)) }
    let titles = SeededTitles(seed: seed)
    for index in 0..<min(scenario.titles, 400) {
      // Most of them are elsewhere as files, so that there is something to find by title and
      // author.
      lending.add(title(titles.title(6 + index, addedBefore: now), first + index, index))
    }
    scenario.arrange(&lending, now)
    let settings: JSONObject = [
      "client_id": "carrel-gateway", "client_secret": "bridgeport-api-secret",
      "staff_user": "carrel", "staff_password": "bridgeport-staff-word",
      "maker": "koha", "institution": "MAIN", "sip2_login": .string(SIP2Dialect.login.user),
      "sip2_password": .string(SIP2Dialect.login.password),
    ]
    return MockLibrary(
      id: id, provider: LibraryDeskDialect.name, name: name, lending: lending, settings: settings,
      endpoints: { base in
        [
          "koha": .string("\(base)/koha/\(id)/api/v1"), "sru": .string("\(base)/koha/\(id)/sru"),
          // As the settings of a gateway name them, so that they can be written from here.
          "sign_in": "koha", "titles": "koha", "holds": "koha",
          "koha_client_id": settings["client_id"] ?? "",
          "koha_client_secret": settings["client_secret"] ?? "",
          "proof": .string(needsPIN ? "pin" : "none"),
          "sip2_maker": "koha", "sip2_login": settings["sip2_login"] ?? "",
          "sip2_password": settings["sip2_password"] ?? "",
        ]
      })
  }

  private func settled(_ card: Patron) -> Patron {
    var patron = card
    (patron.home, patron.kind) = (card.home ?? "CPL", card.kind ?? "ADULT")
    if patron.expires == nil { patron.expires = now + 900 * LendingRules.day }
    return patron
  }

  /// One of each kind that comes to a desk.
  private static let troubled: [Patron] = [
    patron("23000000000021", "4021", "Émilie Lefèvre") { $0.home = "MTH" },
    patron("23000000000022", "4022", "Otto Vorbei") { $0.expires = Moment(milliseconds: 0) },
    patron("23000000000023", "4023", "Lotte Losekarte") { $0.block = .lost },
    patron("23000000000024", "4024", "Dean Debtor") { $0.owes = 12_50 },
    patron("23000000000025", "4025", "Barry Barred") { $0.block = .barred },
    patron("23000000000026", "4026", "Junia Young") {
      ($0.kind, $0.born) = ("CHILD", "2018-05-04")
    },
  ]

  private static func patron(
    _ card: String, _ pin: String, _ name: String, _ change: (inout Patron) -> Void
  ) -> Patron {
    var patron = Patron(card: card, pin: pin, name: name)
    patron.born = "1980-02-29"
    change(&patron)
    return patron
  }

  private func title(_ pattern: Title, _ number: Int, _ index: Int) -> Title {
    var title = Title(
      id: String(number), name: pattern.name, authors: pattern.authors,
      copies: .counted(index == 6 ? 1 : 1 + index % 3), added: pattern.added)
    (title.subtitle, title.language, title.subjects) = (
      pattern.subtitle, pattern.language, pattern.subjects
    )
    (title.publisher, title.published) = (pattern.publisher, pattern.published)
    (title.summary, title.popularity) = (pattern.summary, pattern.popularity)
    title.medium = "book"
    // Every third has the number of the file in its record, too; the others have their own alone.
    title.isbn = index.isMultiple(of: 3) ? pattern.isbn : Self.isbn(number)
    if index == 2 { title.oddCopies = OddCopy.State.allCases.map { OddCopy($0) } }
    return title
  }

  private static func isbn(_ number: Int) -> String {
    let digits = String(number)
    let body = "9791" + String(repeating: "0", count: 8 - digits.count) + digits
    let sum = body.enumerated().reduce(0) {
      $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return body + String((10 - sum % 10) % 10)
  }
}
