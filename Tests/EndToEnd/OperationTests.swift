import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `The installed programs` {
  private static let variables = ProcessInfo.processInfo.environment
  /// `make soak` asks for 2,000 of them.
  private static let count = variables["OPERATIONS"].flatMap { Int($0) } ?? 100
  private static let seed = variables["SEED"].flatMap { UInt64($0) } ?? 1

  @Test(.timeLimit(.minutes(180)))
  func `the installed programs survive borrows, returns and holds at every demo library`()
    async throws
  {
    let demo = try await Demo.start()
    var operations = try await Operations(demo, seed: Self.seed)
    for _ in 0..<Self.count { try await operations.next() }
    for line in operations.report { print("operations: \(line)") }
    #expect(operations.faults == [])
    #expect(operations.untouched == [], "each demo library must have taken a borrow or a hold")
    #expect(try await demo.isReady())
    #expect(try await demo.end() == .exited(130))
  }

  @Test(.timeLimit(.minutes(5))) func `every card that the demo prints can sign in`() async throws {
    let demo = try await Demo.start()
    let cards = try await demo.cards()
    #expect(cards.count >= 2)
    for card in cards {
      #expect(try await demo.status(of: "/opds/shelf", as: card) == 200, "\(card)")
    }
    #expect(try await demo.end() == .exited(130))
  }
}

/// `carrel demo`: all mock libraries, a card at each of them, and the gateway.
struct Demo {
  let home: String
  private let folder: TemporaryFolder
  private let process: RunningProcess
  private let client: Client
  private let site: String

  static func start() async throws -> Demo {
    let folder = try TemporaryFolder()
    let home = folder.path("home")
    let process = try RunningProcess(
      Programs.path("carrel"), ["--home", home, "demo", "--port", "0"],
      environment: Stage.variables)
    while let line = try await process.nextLine(within: .seconds(120)) {
      guard let site = line.firstMatch(of: /^listening on (http:\S+)/)?.output.1 else { continue }
      var configuration = ClientConfiguration()
      configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
      return Demo(
        home: home, folder: folder, process: process, client: try Client(configuration),
        site: String(site))
    }
    throw TestSupportError("the demo does not start: \(process.errorText())")
  }

  func carrel(_ words: [String]) async throws -> FinishedProcess {
    try await run(
      Programs.path("carrel"), ["--home", home] + words + ["--json"],
      environment: Stage.variables)
  }

  func items(_ words: String...) async throws -> [JSONValue] {
    let finished = try await carrel(words)
    guard finished.end == .exited(0) else { throw TestSupportError(finished.errorText) }
    return try JSONValue(parsing: finished.outputText)["items"]?.array ?? []
  }

  func isReady() async throws -> Bool {
    try await client.send(.init(.get, try Address(site + "/readyz"))).status.isSuccess
  }

  /// As it prints them, each as `NUMBER:PIN`.
  func cards() async throws -> [String] {
    try await eventually("the demo was to print its cards") {
      process.errorText().contains("Ctrl-C ends the demo")
    }
    return process.errorText().matches(of: /(\S+) +PIN (\S+)/).map { "\($0.1):\($0.2)" }
  }

  func status(of path: String, as pair: String = "23000000000001:1111") async throws -> Int {
    var request = HTTPClient.Request(.get, try Address(site + path))
    let pair = Data(pair.utf8).base64EncodedString()
    request.headers.set("Authorization", "Basic \(pair)")
    return try await client.send(request).status.code
  }

  func end() async throws -> ProcessEnd {
    await client.shutdown()
    process.send(SIGINT)
    return try await process.waitForEnd()
  }
}

/// Random operations with the demo's cards, and what became of them.
struct Operations {
  private let demo: Demo
  private var random: SplitMix
  /// The offers of each account: `ACCOUNT:ITEM`.
  private let offers: [String: [String]]
  /// What these libraries want to know for a hold.
  private let holdWords = [
    "bridgeport": ["--at", "MTH"], "harbor": ["--email", "reader@example.org"],
  ]
  private var outcomes: [String: Int] = [:]
  private var takers: Set<String> = []
  private var done = 0
  private(set) var faults: [String] = []

  /// What a library may say to a well-formed request.
  private static let refusals: Set = [
    "no_copies_available", "loan_limit_reached", "hold_limit_reached", "already_borrowed",
    "already_on_hold", "currently_available", "not_borrowed", "not_on_hold", "not_renewable",
    "unsupported", "on_paper",
  ]

  init(_ demo: Demo, seed: UInt64) async throws {
    self.demo = demo
    random = SplitMix(state: seed)
    var offers: [String: [String]] = [:]
    for account in try await demo.items("account", "list") {
      guard let name = account["name"]?.string, let provider = account["provider"]?.string
      else { continue }
      let works = try await demo.items(
        "search", "the", "--provider", provider, "--limit", "200")
      offers[name] = works.flatMap { $0["offers"]?.array ?? [] }
        .filter { $0["account"]?.string == name }.compactMap { $0["id"]?.string }
    }
    self.offers = offers
    guard offers.count == 7, offers.values.allSatisfy({ !$0.isEmpty }) else {
      throw TestSupportError("the demo does not list seven libraries: \(offers.keys)")
    }
  }

  var untouched: [String] { offers.keys.filter { !takers.contains($0) }.sorted() }

  var report: [String] {
    ["\(done) operations, \(faults.count) faults"]
      + outcomes.sorted { $0.key < $1.key }.map { "\($0.value)\t\($0.key)" }
  }

  /// One operation; every tenth also asks the gateway for a page and a feed.
  mutating func next() async throws {
    done += 1
    let account = offers.keys.sorted()[(done - 1) % offers.count]
    let offer = offers[account]!.randomElement(using: &random)!
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: try await perform(["borrow", offer], on: account)
    case 4..<6: try await perform(["hold", "add", offer] + (holdWords[account] ?? []), on: account)
    case 6..<8: try await undo("loans", ["return"], account)
    case 8: try await undo("hold list", ["hold", "cancel"], account)
    default: try await perform(["show", offer], on: account)
    }
    if done.isMultiple(of: 10) {
      for path in ["/", "/opds", "/opds/2", "/healthz"] {
        let status = try await demo.status(of: path)
        if status != 200 { faults.append("operation \(done): GET \(path) is \(status)") }
      }
    }
  }

  /// Ends the first loan or hold of the account, if it has one.
  private mutating func undo(_ list: String, _ words: [String], _ account: String) async throws {
    let listed = try await demo.carrel(list.split(separator: " ").map(String.init))
    guard listed.end == .exited(0) else { return note(listed, list, account) }
    let rows = try JSONValue(parsing: listed.outputText)["items"]?.array ?? []
    guard let row = rows.first(where: { $0["account"]?.string == account }),
      let item = row["item"]?.string
    else { return try await perform(["show", offers[account]![0]], on: account) }
    try await perform(words + ["\(account):\(item)"], on: account)
  }

  private mutating func perform(_ words: [String], on account: String) async throws {
    let finished = try await demo.carrel(words)
    note(finished, words.joined(separator: " "), account)
    if finished.end == .exited(0), words[0] == "borrow" || words[0] == "hold" {
      takers.insert(account)
    }
  }

  private mutating func note(_ finished: FinishedProcess, _ words: String, _ account: String) {
    let verb = words.split(separator: " ").prefix { !$0.contains(":") }.joined(separator: " ")
    let code = (try? JSONValue(parsing: finished.errorText))?["error"]?["code"]?.string
    let outcome: String
    switch finished.end {
    case .exited(0): outcome = "done"
    case .exited: outcome = code ?? "no error code"
    case .signalled(let signal): outcome = "killed by signal \(signal)"
    }
    outcomes["\(verb) at \(account): \(outcome)", default: 0] += 1
    if outcome != "done", !Self.refusals.contains(outcome) {
      faults.append("operation \(done): carrel \(words): \(outcome): \(finished.errorText)")
    }
  }
}
