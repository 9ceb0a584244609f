import Circulation
import LibraryDeskMock
import MockKit
import ProviderKit
import Testing

@testable import LibraryDesk

/// One thing that goes wrong with a line, and how an errand may end that meets it. This is the whole
/// table: an errand that ends otherwise is a defect.
struct LinePeril: Sendable, CustomTestStringConvertible {
  let name: String
  let harm: Harm
  /// The codes of the reasons that may be given.
  let reasons: Set<String>
  /// Those besides where it meets the login, too: whoever hangs up on it may have refused it.
  var atLogin: Set<String> = []
  /// Whether an errand may end well that meets nothing but this.
  var mayPass = false

  enum Harm: Sendable {
    case closed
    case fault(Fault.Kind)
  }

  var testDescription: String { name }

  private static let odd: Set = ["malformed_response"]
  private static let refused: Set = ["not_configured"]
  private static let late: Set = ["deadline_exceeded", "network_failure"]
  private static let lost: Set = ["network_failure", "deadline_exceeded"]

  static let all = [
    LinePeril(name: "nobody listens", harm: .closed, reasons: lost),
    LinePeril(name: "reset", harm: .fault(.reset), reasons: lost, atLogin: refused),
    LinePeril(
      name: "reset after the deed", harm: .fault(.resetAfter), reasons: lost, atLogin: refused),
    LinePeril(
      name: "half a line", harm: .fault(.cut(percent: 50)), reasons: lost, atLogin: refused),
    LinePeril(name: "silence", harm: .fault(.timeout), reasons: late),
    LinePeril(name: "silence after the deed", harm: .fault(.timeoutAfter), reasons: late),
    LinePeril(
      name: "a byte a second", harm: .fault(.bandwidth(bytesPerSecond: 1)), reasons: late),
    LinePeril(name: "wrong checksums", harm: .fault(.line(.wrongSum)), reasons: odd.union(lost)),
    LinePeril(
      name: "answers out of their order", harm: .fault(.line(.wrongNumber)),
      reasons: odd.union(late)),
    LinePeril(name: "please repeat", harm: .fault(.line(.pleaseRepeat)), reasons: odd),
    LinePeril(name: "an answer without an end", harm: .fault(.line(.endless)), reasons: odd),
    LinePeril(
      name: "a restart in the middle", harm: .fault(.line(.restart)), reasons: lost,
      atLogin: refused),
    LinePeril(
      name: "noise before the answer", harm: .fault(.line(.noise)), reasons: odd.union(lost),
      mayPass: true),
    LinePeril(
      name: "another charset", harm: .fault(.line(.wrongLetters)), reasons: [], mayPass: true),
    LinePeril(
      name: "every answer twice", harm: .fault(.line(.twice)), reasons: odd.union(late),
      mayPass: true),
    LinePeril(
      name: "pieces of a byte", harm: .fault(.slicer(bytes: 1)), reasons: late, mayPass: true),
  ]
}

/// What a reader does at a machine.
enum LineDeed: String, Sendable, CaseIterable {
  case signIn, shelf, place, cancel, renew

  private static let card = "23000000000004"

  /// What the mock calls the message that does it.
  var message: String {
    switch self {
    case .signIn, .shelf: "patron"
    case .place: "hold"
    case .cancel: "cancel_hold"
    case .renew: "renew"
    }
  }

  func prepare(_ open: SIP2House) {
    let title = open.title(3)
    switch self {
    case .signIn, .shelf, .place: break
    case .cancel:
      open.change { library, now in
        _ = try? library.lending.placeHold(on: title, by: Self.card, at: now)
      }
    case .renew:
      open.change { library, now in
        library.lending.rules.renewalWindow = 365 * LendingRules.day
        _ = try? library.lending.borrow(title, by: Self.card, at: now)
      }
    }
  }

  func perform(_ open: SIP2House) async throws(CirculationError) {
    let desk: any CirculationProvider
    do { desk = try open.desk(Self.card, "44440044") } catch {
      Issue.record("no desk: \(error)")
      return
    }
    let item = open.item(3)
    switch self {
    case .signIn: _ = try await desk.checkAccount(in: open.call)
    case .shelf: _ = try await desk.shelf(in: open.call)
    case .place:
      _ = try await desk.placeHold(
        on: item, options: HoldOptions(pickup: BranchID("MTH")), in: open.call)
    case .cancel: try await desk.cancelHold(on: item, in: open.call)
    case .renew: _ = try await desk.renew(item, in: open.call)
    }
  }

  /// What the library itself knows of it; nil of what changes nothing.
  func isDone(_ open: SIP2House) -> Bool? {
    switch self {
    case .signIn, .shelf: nil
    case .place: open.holds == ["\(open.title(3)) \(Self.card)"]
    case .cancel: open.holds.isEmpty
    case .renew: open.renewals(of: open.title(3)) == 1
    }
  }
}

extension SIP2House {
  func renewals(of title: String) -> Int? {
    house.main.withState { state in
      state.library(library.settings["sip2_maker"] ?? "", of: SIP2Dialect.name)?.lending.loans
        .first { $0.title == title }?.renewals
    }
  }

  func mend() { house.main.withState { $0.faults.removeAll() } }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Whatever goes wrong with a line` {
  private enum Strike: CaseIterable {
    /// The message itself, once.
    case once
    /// The message itself, whenever it is sent.
    case always
    /// All of the line, the login included.
    case everything
  }

  @Test(arguments: LinePeril.all)
  func `Whatever goes wrong with a line: is told as what it is, and does nothing twice`(
    _ peril: LinePeril
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for deed in LineDeed.allCases {
        for strike in Strike.allCases {
          group.addTask { try await Self.meet(peril, deed, strike) }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func meet(
    _ peril: LinePeril, _ deed: LineDeed, _ strike: Strike
  ) async throws {
    try await SIP2House.open("symphony") { open in
      deed.prepare(open)
      switch peril.harm {
      case .closed: await open.line.stop()
      case .fault(let kind):
        let message = strike == .everything ? "" : deed.message
        open.fault(kind, of: message, count: strike == .once ? .first(1) : .always)
      }
      let began = ContinuousClock.now
      let error = await failure { () async throws(CirculationError) in
        try await deed.perform(open)
      }
      let place = "\(deed) \(strike)"
      #expect(began.duration(to: .now) < .seconds(11), "\(place)")
      judge(error, peril, deed, strike, open)
      // Never two holds, and never a second renewal.
      #expect(open.holds.count <= 1, "\(place)")
      #expect(open.renewals(of: open.title(3)) ?? 0 <= 1, "\(place)")
      #expect(open.asked("hold") <= (peril.isUnread ? 8 : 1), "\(place)")
      if case .closed = peril.harm { return }
      // The next errand hears nothing of it: what it is told is what the library knows.
      open.mend()
      let shelf = try await open.desk("23000000000004", "44440044").shelf(in: open.call)
      #expect(shelf.holds.count == open.holds.count, "\(place)")
    }
  }

  private static func judge(
    _ error: CirculationError?, _ peril: LinePeril, _ deed: LineDeed, _ strike: Strike,
    _ open: SIP2House
  ) {
    let place = "\(deed) \(strike)"
    guard let error else {
      if strike == .everything { #expect(peril.mayPass, "\(place): passed") }
      if let isDone = deed.isDone(open) { #expect(isDone, "\(place): said to be done") }
      return
    }
    let stated = strike == .everything ? peril.reasons.union(peril.atLogin) : peril.reasons
    #expect(stated.contains(error.reason.code), "\(place): ended in \(error.reason.code)")
    // Neither a wrong card nor a full one.
    #expect(error.provider == LibraryDeskProvider.listing.id, "\(place)")
    guard let isDone = deed.isDone(open), !error.reason.leavesOutcomeOpen else { return }
    #expect(!isDone, "\(place): done, and said to be \(error.reason.code)")
  }

  @Test(arguments: LineDeed.allCases)
  func `a 64 KB field in a SIP2 message does not delay or break later requests`(_ deed: LineDeed)
    async throws
  {
    var readers = SIP2House.readers
    for index in readers.indices where readers[index].card == "23000000000004" {
      readers[index].name = String(repeating: "Ö", count: 65_536)
    }
    try await SIP2House.open("symphony", cards: readers) { open in
      deed.prepare(open)
      let began = ContinuousClock.now
      let error = await failure { () async throws(CirculationError) in
        try await deed.perform(open)
      }
      #expect(began.duration(to: .now) < .seconds(6))
      if let error { #expect(error.reason.code == "malformed_response") }
      #expect(open.holds.count <= 1)
      // Who comes next is served.
      _ = try await open.desk("23000000000001", "1111").checkAccount(in: open.call)
    }
  }
}

extension LinePeril {
  /// Whether the server says that it did not read the message: only then is it said again.
  fileprivate var isUnread: Bool {
    if case .fault(.line(.pleaseRepeat)) = harm { true } else { false }
  }
}
