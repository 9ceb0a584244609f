import Foundation
import JSON
import JourneySupport
import TestSupport

/// Kills the program at moments that chance chooses while it borrows, returns, waits and waits no
/// longer, and looks each time whether everything is where it was. Chance comes from a seed; the
/// moment on the machine does not, so a failure names everything else.
struct Kills {
  enum Verb: String, CaseIterable {
    case borrow
    case giveBack = "give_back"
    case placeHold = "place_hold"
    case cancelHold = "cancel_hold"

    var words: [String] {
      switch self {
      case .borrow: ["borrow"]
      case .giveBack: ["return"]
      case .placeHold: ["hold", "add"]
      case .cancelHold: ["hold", "cancel"]
      }
    }

    /// The mock's name for what is asked of it.
    var operation: String {
      switch self {
      case .borrow: "checkOut"
      case .giveBack: "earlyReturn"
      case .placeHold: "placeHold"
      case .cancelHold: "removeHold"
      }
    }
  }

  /// What became of the killed commands.
  enum Fate: String, CaseIterable {
    case early = "killed before it was written down"
    case unsent = "written down, never arrived: in doubt until it cannot arrive any more"
    case settled = "arrived, its answer never read: settled by the next sync"
    case ended = "ended before the kill"
  }

  private struct Shelf: Equatable {
    var loans: [String]
    var holds: [String]
  }

  private struct Known {
    let verb: Verb
    let happened: Bool
  }

  private let stage: Stage
  private var chance: SplitMix
  /// How long a command takes that nobody kills.
  private var usual = Duration.seconds(10)
  /// What truly became of each command that was written down, by its number.
  private var known: [String: Known] = [:]
  private(set) var fates: [Fate: Int] = [:]
  private(set) var faults: [String] = []

  init(_ stage: Stage, seed: UInt64) { (self.stage, chance) = (stage, SplitMix(state: seed)) }

  mutating func run(_ count: Int) async throws {
    try await prepare()
    for number in 1...max(1, count) {
      try await kill(number)
      if number % 25 == 0 || number == count { try await compareLists() }
      if faults.count > 5 { return }
    }
  }

  /// A reader without limits at a library with eighty titles more, of which others have half.
  private func furnish() async throws {
    let added = (0..<80).map { number in
      "00000000-0000-4000-8000-0000000000" + (number < 16 ? "0" : "") + String(number, radix: 16)
    }
    let crowd = "crowd-of-one"
    try await stage.mock.change([
      "cards": [
        ["card": .string(Mock.ada), "loanLimit": 1000, "holdLimit": 1000],
        ["card": .string(crowd), "loanLimit": 1000],
      ],
      "titles": .array(
        added.map { ["id": .string($0), "copies": 1, "formats": ["ebook-overdrive"]] }),
      "loans": .array(added.prefix(40).map { ["title": .string($0), "card": .string(crowd)] }),
    ])
    try await stage.link(Mock.ada, "1111", as: "city")
  }

  private mutating func prepare() async throws {
    try await furnish()
    let title = try await stage.mock.truth().titles[0].id
    for words in [["borrow"], ["return"]] {
      let began = ContinuousClock.now
      let ending = try await stage.carrel(words + ["city:\(title)"])
      guard ending.code == 0 else { throw TestSupportError(ending.error) }
      usual = min(usual, began.duration(to: .now))
    }
  }

  private func truth() async throws -> Shelf {
    let truth = try await stage.mock.truth()
    return Shelf(loans: truth.loans(of: Mock.ada), holds: truth.holds(of: Mock.ada))
  }

  /// What there is to do, so that each verb finds something. Titles with a command in doubt are
  /// left alone until it is settled.
  private mutating func choose() async throws -> (Verb, String) {
    let truth = try await stage.mock.truth()
    let open = try await stage.rows("SELECT item FROM desk_intent WHERE state = 'open'").joined()
    let busy = Set(open.map { $0.lowercased() })
    let (loans, holds) = (truth.loans(of: Mock.ada), truth.holds(of: Mock.ada))
    let mine = Set(loans + holds)
    // The eighth title is a branch's own, and this card's library does not list it.
    let listed = truth.titles.prefix(7) + truth.titles.dropFirst(8)
    let others = listed.filter { !mine.contains($0.id) }
    while true {
      let verb = Verb.allCases[chance.below(Verb.allCases.count)]
      let titles: [String] =
        switch verb {
        case .borrow: others.filter { $0.available > 0 }.map(\.id)
        case .giveBack: loans
        case .placeHold: others.filter { $0.available == 0 && $0.isCounted }.map(\.id)
        case .cancelHold: holds
        }
      let free = titles.filter { !busy.contains($0) }
      if !free.isEmpty { return (verb, free[chance.below(free.count)]) }
    }
  }

  private mutating func kill(_ number: Int) async throws {
    let (verb, title) = try await choose()
    let before = try await truth()
    let intents = try await intents()
    // Half of the answers are late, so that the kill falls between the sending and the answer.
    let late = chance.below(2) == 0 ? 20 + chance.below(60) : 0
    if late > 0 {
      try await stage.mock.add([
        "name": "late", "kind": "latency", "operation": .string(verb.operation),
        "milliseconds": .integer(late),
      ])
    }
    // The first quarter of the time is the start of any program.
    let span = usual + .milliseconds(late)
    let delay = span * (0.25 + 0.75 * chance.unit())
    let child = try stage.start(verb.words + ["city:\(title)"])
    // Not a wait for something: the moment of the kill is what is drawn by chance.
    try await Task.sleep(for: delay)
    child.send(SIGKILL)
    let end = try await child.waitForEnd()
    if late > 0 { try await stage.mock.removeFaults() }

    let story =
      "kill \(number): \(verb) \(title) after \(delay), answer \(late) ms late, it \(end)"
    let after = try await truth()
    let written = try await self.intents().filter { intents[$0.key] == nil }
    let happened = Self.effect(of: verb, on: title, from: before) == after
    judge(end, before == after, happened, story, child)
    if written.count > 1 { faults.append("\(story): written down \(written.count) times") }
    for intent in written { known[intent.key] = Known(verb: verb, happened: happened) }
    try await settle(after, story)
    count(end, written.first?.value, happened)
  }

  private mutating func judge(
    _ end: ProcessEnd, _ isUnchanged: Bool, _ happened: Bool, _ story: String,
    _ child: RunningProcess
  ) {
    if !isUnchanged, !happened { faults.append("\(story): something else happened, too") }
    switch end {
    case .exited(0) where !happened: faults.append("\(story): told as done, and it was not")
    case .exited(0), .signalled(SIGKILL): break
    default: faults.append("\(story): \(child.errorText())")
    }
  }

  /// The next sync brings the shelf here into step with the library, and knows what it can know.
  private mutating func settle(_ truth: Shelf, _ story: String) async throws {
    let sync = try await stage.carrel("sync", "--json")
    if sync.code != 0 || !sync.faults.isEmpty { faults.append("\(story): \(sync.error)") }
    let now = try await self.truth()
    if now != truth { faults.append("\(story): the sync changed the library") }
    if Set(now.loans).count != now.loans.count { faults.append("\(story): lent twice") }
    let loans = try await stage.rows("SELECT item FROM desk_loan ORDER BY item").joined()
    let holds = try await stage.rows("SELECT item FROM desk_hold ORDER BY item").joined()
    let here = Shelf(loans: loans.map { $0.lowercased() }, holds: holds.map { $0.lowercased() })
    if here != now { faults.append("\(story): here \(here), there \(now)") }
    for (number, state) in try await intents() {
      guard let intent = known[number] else { continue }
      let isWrong =
        switch state {
        case "done": !intent.happened
        case "lapsed", "refused": intent.happened
        // In doubt for a while, where the one before on the same title is too fresh to tell.
        default: intent.happened && known.keys.count { (Int($0) ?? 0) > (Int(number) ?? 0) } > 60
        }
      if isWrong { faults.append("\(story): \(intent.verb) \(number) stands as \(state)") }
    }
  }

  private mutating func count(_ end: ProcessEnd, _ state: String?, _ happened: Bool) {
    let fate: Fate =
      end == .exited(0) || state == "done"
      ? .ended : state == nil ? .early : happened ? .settled : .unsent
    fates[fate, default: 0] += 1
  }

  /// What readers see is the same, too.
  private mutating func compareLists() async throws {
    let truth = try await truth()
    let loans = try await stage.carrel("loans", "--json").items.compactMap { $0["item"]?.string }
    let holds = try await stage.carrel("hold", "list", "--json").items.compactMap {
      $0["item"]?.string
    }
    let shown = Shelf(
      loans: loans.map { $0.lowercased() }.sorted(), holds: holds.map { $0.lowercased() }.sorted())
    if shown != truth { faults.append("shown \(shown), there \(truth)") }
  }

  /// The state of each command by its number.
  private func intents() async throws -> [String: String] {
    let rows = try await stage.rows("SELECT id, state FROM desk_intent")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
  }

  private static func effect(of verb: Verb, on title: String, from shelf: Shelf) -> Shelf {
    var shelf = shelf
    switch verb {
    case .borrow: shelf.loans = (shelf.loans + [title]).sorted()
    case .giveBack: shelf.loans.removeAll { $0 == title }
    case .placeHold: shelf.holds = (shelf.holds + [title]).sorted()
    case .cancelHold: shelf.holds.removeAll { $0 == title }
    }
    return shelf
  }
}

/// Chance that can be had again.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
