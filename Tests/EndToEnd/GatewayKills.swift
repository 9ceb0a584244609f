import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport

/// Kills a gateway while it returns a loan that an app asked it to return with a key, and starts another.
/// Every second time the app repeats its request at once; else it waits until the gateway has settled the
/// command by itself, and then repeats it.
struct GatewayKills {
  /// What became of the killed requests, and how it was known.
  enum Fate: String, CaseIterable {
    case unwritten = "killed before it was written down"
    case done = "left unconfirmed, and done at the library"
    case notDone = "left unconfirmed, and not done at the library"
    case ended = "settled before the kill"
    case repeated = "repeated at once by the app"
  }

  private let stage: Stage
  private let client: Client
  private var chance: SplitMix
  private var gateway: RunningProcess?
  private let port: Int
  /// How long a request takes that nobody kills.
  private var usual = Duration.milliseconds(50)
  private(set) var fates: [Fate: Int] = [:]
  /// From the kill until it was settled, the start of the next gateway included.
  private(set) var spans: [Fate: [Duration]] = [:]
  private(set) var faults: [String] = []

  init(_ stage: Stage, seed: UInt64) throws {
    (self.stage, chance, port) = (stage, SplitMix(state: seed), try sparePort())
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    client = try Client(configuration)
  }

  mutating func run(_ count: Int) async throws {
    try await furnish(count + 1)
    try await start()
    try await warmUp()
    for number in 1...max(1, count) {
      try await kill(number)
      if faults.count > 5 { break }
    }
    gateway?.send(SIGTERM)
    _ = try await gateway?.waitForEnd()
    await client.shutdown()
  }

  /// In words for the log of a soak.
  func told(_ fate: Fate) -> String? {
    guard let sorted = spans[fate]?.sorted(), !sorted.isEmpty else { return nil }
    func share(_ part: Double) -> String {
      let place = min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.down)))
      return String(format: "%.1f s", sorted[place] / .seconds(1))
    }
    return "p50 \(share(0.5)), p99 \(share(0.99)), longest \(share(1)) until settled"
  }

  // MARK: - The reader

  /// Loans that were made elsewhere: no command of ours is so young that a shelf may not show it yet.
  private func furnish(_ count: Int) async throws {
    let titles = (0..<count).map { number in
      "00000000-0000-4000-8000-00000000" + String(0x1000 + number, radix: 16)
    }
    try await stage.mock.change([
      "cards": [["card": .string(Mock.ada), "loanLimit": 10_000, "holdLimit": 10_000]],
      "titles": .array(
        titles.map { ["id": .string($0), "copies": 1, "formats": ["ebook-overdrive"]] }),
      "loans": .array(titles.map { ["title": .string($0), "card": .string(Mock.ada)] }),
    ])
    try await stage.link(Mock.ada, "1111", as: "city")
    let sync = try await stage.carrel("sync", "--json")
    guard sync.code == 0 else { throw TestSupportError(sync.error) }
  }

  private mutating func start() async throws {
    let process = try RunningProcess(
      Mock.program("carrel"), ["--home", stage.home, "serve", "--port", "\(port)"],
      environment: Stage.variables)
    guard try await process.nextLine() != nil else {
      throw TestSupportError("the gateway does not start: \(process.errorText())")
    }
    gateway = process
  }

  private mutating func warmUp() async throws {
    let began = ContinuousClock.now
    let address = try await nextLoan()
    guard try await send(address, key: "the-first-of-all-keys").status.isSuccess else {
      throw TestSupportError("a loan cannot be returned")
    }
    usual = min(began.duration(to: .now), .milliseconds(400))
  }

  /// The address that gives a loan back.
  private func nextLoan() async throws -> String {
    let shelf = try await ask("http://127.0.0.1:\(port)/opds/shelf", .get)
    let text = String(decoding: shelf.body, as: UTF8.self)
    guard let found = text.firstMatch(of: /href="([^"]*\/revoke)"/) else {
      throw TestSupportError("the shelf shows no loan: \(shelf.status) \(text.prefix(500))")
    }
    return String(found.1)
  }

  private func send(_ address: String, key: String) async throws -> HTTPClient.Reply {
    try await ask(address, .put, ["Idempotency-Key": key])
  }

  private func ask(
    _ address: String, _ method: HTTP.Method, _ headers: Headers = [:]
  ) async throws -> HTTPClient.Reply {
    var request = HTTPClient.Request(method, try Address(address), headers: headers)
    let pair = Data("\(Mock.ada):1111".utf8).base64EncodedString()
    request.headers.set("Authorization", "Basic \(pair)")
    request.limits = .init(body: 64 << 20)
    return try await client.send(request)
  }

  // MARK: - The kill

  private mutating func kill(_ number: Int) async throws {
    let address = try await nextLoan()
    let key = "the key of kill \(number)".replacing(" ", with: "-")
    // A third is answered late, and a third never arrives.
    let kind = chance.below(3)
    let late = kind == 0 ? 0 : 20 + chance.below(200)
    if kind == 1 {
      try await stage.mock.add([
        "name": "late", "kind": "latency", "operation": "earlyReturn",
        "milliseconds": .integer(late),
      ])
    } else if kind == 2 {
      try await stage.mock.add(["name": "lost", "kind": "timeout", "operation": "earlyReturn"])
    }
    let before = try await stage.mock.truth().loans(of: Mock.ada)
    let newest = try await newestCommand()?.id
    let (reader, delay) = (self, (usual + .milliseconds(late)) * chance.unit())
    let first = Task { try? await reader.send(address, key: key).status.code }
    // Not a wait for something: the moment of the kill is what is drawn by chance.
    try await Task.sleep(for: delay)
    gateway?.send(SIGKILL)
    let killed = ContinuousClock.now
    let told = await first.value
    _ = try await gateway?.waitForEnd()
    if kind > 0 { try await stage.mock.removeFaults() }
    let written = try await newestCommand().flatMap { $0.id == newest ? nil : $0 }
    try await start()

    let story =
      "kill \(number): \(address) after \(delay), answer \(late) ms late, told \(told ?? 0)"
    if number.isMultiple(of: 2) {
      try await repeatAtOnce(address, key, since: killed, story)
      let returned = before.count - (try await stage.mock.truth().loans(of: Mock.ada).count)
      if returned != 1 { faults.append("\(story): repeated, and \(returned) loans were returned") }
      return
    }
    let span = try await settled(since: killed)
    let isDone = try await stage.mock.truth().loans(of: Mock.ada) != before
    let fate: Fate =
      written == nil ? .unwritten : written?.state != "open" ? .ended : isDone ? .done : .notDone
    fates[fate, default: 0] += 1
    spans[fate, default: []].append(span)
    if told == 200, !isDone { faults.append("\(story): told as done, and it was not") }
    try await repeatRequest(address, key, fate, story)
    let returned = before.count - (try await stage.mock.truth().loans(of: Mock.ada).count)
    if returned != (fate == .notDone ? 0 : 1) {
      faults.append("\(story): \(fate), and \(returned) loans were returned")
    }
    guard fate == .notDone else { return }
    let other = try await send(address, key: key + "-again").status.code
    if other != 200 { faults.append("\(story): sent again with another key it is \(other)") }
  }

  /// Settled by the gateway itself: nobody asks it to.
  private func settled(since killed: ContinuousClock.Instant) async throws -> Duration {
    let end = killed + .seconds(90)
    while ContinuousClock.now < end {
      if try await newestCommand()?.state != "open" { return killed.duration(to: .now) }
    }
    throw TestSupportError("a command is not settled in a minute and a half")
  }

  private mutating func repeatAtOnce(
    _ address: String, _ key: String, since killed: ContinuousClock.Instant, _ story: String
  ) async throws {
    let end = killed + .seconds(90)
    var code = 0
    while code != 200, ContinuousClock.now < end {
      code = try await send(address, key: key).status.code
      if code != 200 && code != 503 { break }
    }
    if code != 200 { faults.append("\(story): repeated at once, it is answered \(code)") }
    fates[.repeated, default: 0] += 1
    spans[.repeated, default: []].append(killed.duration(to: .now))
  }

  private mutating func repeatRequest(
    _ address: String, _ key: String, _ fate: Fate, _ story: String
  ) async throws {
    var codes: [Int] = []
    for _ in 0..<3 { codes.append(try await send(address, key: key).status.code) }
    // What never arrived is said to have never arrived, and is for the reader to repeat.
    let expected = fate == .notDone ? 409 : 200
    if codes != [expected, expected, expected] {
      faults.append("\(story): \(fate), answered \(codes)")
    }
  }

  private func newestCommand() async throws -> (id: String, state: String)? {
    let rows = try await stage.rows("SELECT id, state FROM desk_intent ORDER BY id DESC LIMIT 1")
    return rows.first.map { ($0[0], $0[1]) }
  }
}
