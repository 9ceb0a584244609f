import Arguments
import Console
import Items
import JSON
import Machine
import TextSafety

/// A walk through what a reader with a card at each lender does, with the real program: each command is shown as one would type
/// it, and what it prints.
struct DemoTour {
  let mock: DemoMock
  let profile: DemoProfile
  let environment: Environment
  let output: Output

  /// From a card to a book on loan, and from a queue to an offer.
  func walk() async throws(CommandError) {
    try say("\(profile.cards.count) libraries, one shelf. Each is linked once:\n")
    for (reader, entry) in profile.cards.enumerated() {
      try await show(
        ["link", entry.provider.id, "--library", entry.name], input: entry.credentials(reader))
    }
    try await show(["sync"])
    try await show(["harvest"])
    try say("\nWhat they have, on shelves to browse:\n")
    try await show(["lane", "list"])
    try await show(["lane", "show", "new", "--limit", "8"])
    if let shared = try await mostOffered() {
      try say("\nA book that several have is one book, with every way to get it:\n")
      try await show(["show", shared])
      try await show(["explain", shared])
    }
    try say("\nWhat is free is borrowed and given back:\n")
    try await show(["search", "feather"])
    if let free = try await first("available") {
      try await show(["borrow", free])
      try await show(["loans"])
      try await show(["return", free])
    }
    guard let queued = try await first("queued") else { return }
    try say("\nWhere all copies are out there is a queue, and a hold in it:\n")
    try await show(["borrow", queued], mayFail: true)
    try await show(["hold", "add", queued])
    try say("\nThree weeks pass at the mock libraries, and copies come back:\n")
    try await advance("22d")
    try await show(["sync"])
    try await show(["hold", "list"])
    try await show(["hold", "accept", queued])
    try await show(["loans"])
  }

  private func works() async throws(CommandError) -> [JSONValue] {
    let text = try await run(["search", "a", "--limit", "200", "--json"], input: "").output
    let document = try? JSONValue(parsing: String(decoding: text, as: UTF8.self))
    return document?["items"]?.array ?? []
  }

  /// The work that the most libraries have.
  private func mostOffered() async throws(CommandError) -> String? {
    let works = try await works().map { work in
      (
        id: work["id"]?.string,
        libraries: Set(
          (work["offers"]?.array ?? []).compactMap {
            $0["account"]?.string
          }
        ).count
      )
    }
    return works.max { $0.libraries < $1.libraries }.flatMap { $0.libraries > 1 ? $0.id : nil }
  }

  /// The first title in the catalogue whose best offer stands so.
  private func first(_ status: String) async throws(CommandError) -> String? {
    for work in try await works() {
      guard let offer = work["offers"]?[0], work["state"]?.string == "none",
        offer["availability"]?["status"]?.string == status
      else { continue }
      return offer["id"]?.string
    }
    return nil
  }

  private func advance(_ span: String) async throws(CommandError) {
    let order = ["clock", "advance", span, "--admin", mock.admin]
    _ = try await capture(ChildProgram(mock.program, order, environment: environment), "")
  }

  private func show(_ words: [String], input: String = "", mayFail: Bool = false)
    async throws(CommandError)
  {
    let asked = input.isEmpty ? words : words + ["--credentials-stdin"]
    try say("\n" + output.layout.heading("$ carrel \(words.joined(separator: " "))") + "\n")
    let result = try await run(asked, input: input)
    try say(TerminalText(styled: String(decoding: result.output, as: UTF8.self)))
    try say(TerminalText(styled: String(decoding: result.error, as: UTF8.self)))
    guard mayFail || result.ending == .exited(0) else {
      throw CommandError(.unexpected, "the demo's 'carrel \(words[0])' failed")
    }
  }

  private func run(_ words: [String], input: String) async throws(CommandError) -> Capture {
    guard let own = Process.executable else {
      throw CommandError(.incompleteInstall, "carrel does not know where it is installed")
    }
    let child = ChildProgram(own, ["--home", profile.home] + words, environment: environment)
    return try await capture(child, input)
  }

  private func capture(_ child: ChildProgram, _ input: String) async throws(CommandError)
    -> Capture
  {
    do throws(Capture.Failure) {
      return try await child.capture(
        feeding: Array(input.utf8), limit: 8 << 20, within: .seconds(120))
    } catch {
      throw CommandError(.unexpected, "the demo cannot run \(child.name): \(error)")
    }
  }

  private func say(_ text: TerminalText) throws(CommandError) {
    if output.mode == .human { try output.write(text) }
  }
}
