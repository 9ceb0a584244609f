import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// A catalog that a patron links writes what it likes into its texts. None of it may reach a terminal, a
/// script that reads rows, or a shell into which a line is pasted.
@Suite struct `A hostile catalog at the terminal` {
  /// What changes something, in an order in which each meets the texts of the catalog.
  private static let deeds = [
    "harvest", "search jane", "borrow 1", "borrow 1", "hold add 2", "hold add 2", "hold cancel 2",
    "borrow 2", "borrow 3", "renew 1", "get 1", "save 1", "ignore 1", "unignore 1", "finish 1",
    "dismiss 1", "list create later", "list add later 1", "wish add Jane", "sync", "return 1",
    "return 1", "borrow --dry-run 1",
  ]
  /// What only shows.
  private static let views = [
    "search jane", "search --sort title --counts jane", "show 1", "explain 1", "loans", "hold list",
    "books", "queue", "queue --done", "list list", "list show later",
    "wish list", "wish review", "lane list", "lane show available", "lane show new",
    "work list", "account list", "account check", "account check evil", "provider list", "doctor",
    "sync --due", "hold pace --dry-run", "export --all -", "notify inbox", "list log",
    "borrow 3", "get 3", "show 9", "search --facet language=xx jane",
  ]

  private func prepare(_ stage: Stage, _ catalog: HostileCatalog) async throws {
    try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
    let linked = try await stage.carrel(
      "link", "opdslibrary", "--library", catalog.address, "--name", "evil", "--credentials-stdin",
      input: "ada\n1111\n")
    try #require(linked.code == 0, "\(linked.error)")
    expectClean(linked)
  }

  /// An own table, so that a character that the program forgets is not forgotten here.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case ..<0x20, 0x7F...0x9F, 0x200B, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xE_0000...0xE_007F:
      true
    default: false
    }
  }

  private func expectClean(_ ending: Ending, mayHaveTabs: Bool = false) {
    for text in [ending.output, ending.error] {
      let hidden = text.unicodeScalars.filter {
        Self.isHidden($0) || $0 == "\t" && !mayHaveTabs
      }
      #expect(hidden.isEmpty, "\(ending.words): \(hidden.map { String($0.value, radix: 16) })")
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }, "\(ending.words)")
    }
  }

  /// The commands that people are told to paste.
  private func commands(in ending: Ending) -> [String] {
    (ending.output + ending.error).split(separator: "\n").compactMap { line in
      let start = line.firstRange(of: "carrel ")?.lowerBound
      let before = start.map { line[..<$0] } ?? ""
      guard before.hasSuffix(": "), let start else { return nil }
      return String(line[start...])
    }
  }

  /// Runs the line in real shells, where `carrel` only tells its words.
  private func words(of line: String, in folder: TemporaryFolder) async throws -> [String] {
    let shown = try await words(
      "/bin/sh", "carrel() { printf '%s\\n' \"$@\"; }", line, in: folder)
    let fish = try await words(
      "fish", "function carrel; printf '%s\\n' $argv; end", line, in: folder)
    #expect(shown == fish, "\(line)")
    return shown
  }

  private func words(
    _ shell: String, _ function: String, _ line: String, in folder: TemporaryFolder
  ) async throws -> [String] {
    let finished = try await run(
      shell, ["-c", "cd '\(folder.path(""))' && true\n\(function)\n\(line)\n"],
      within: .seconds(10))
    #expect(finished.end == .exited(0), "\(line): \(finished.errorText)")
    return finished.outputText.split(separator: "\n").map(String.init)
  }

  @Test func `no text of a catalog brings a control to the terminal or forges a row`() async throws
  {
    try await Stage.playOnEach { stage in
      let catalog = try HostileCatalog()
      try await prepare(stage, catalog)
      var shown = 0
      for deed in Self.deeds {
        let ending = try await stage.carrel(deed.split(separator: " ").map(String.init))
        expectClean(ending)
        shown += (ending.output + ending.error).components(separatedBy: "FORGED").count - 1
      }
      for view in Self.views + [
        "opds get \(catalog.address)", "opds get \(catalog.address)problem",
      ] {
        let words = view.split(separator: " ").map(String.init)
        for mode in [[], ["--plain"], ["--json"], ["--jsonl"]] where view != "export --all -" {
          let ending = try await stage.carrel(words + mode)
          expectClean(ending, mayHaveTabs: mode == ["--plain"])
          shown += (ending.output + ending.error).components(separatedBy: "FORGED").count - 1
        }
      }
      // The texts were there, and none of them was left out.
      #expect(shown > 200)
    }
  }

  @Test func `documents hold the exact text of a catalog`() async throws {
    try await Stage.play { stage in
      let catalog = try HostileCatalog()
      try await prepare(stage, catalog)
      try await stage.carrel("harvest")
      let titles = try await stage.json("search", "jane").items.map { $0["title"]?.string }
      #expect(titles.contains(HostileCatalog.title) && titles.contains(HostileCatalog.flag))
    }
  }

  @Test func `rows of --plain have the columns of the schema and no others`() async throws {
    try await Stage.play { stage in
      let catalog = try HostileCatalog()
      try await prepare(stage, catalog)
      try await stage.carrel("harvest")
      let honest = try await stage.carrel("search", "jane", "--plain")
      let rows = honest.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(rows.count == 3)
      #expect(
        Set(rows.map { $0.split(separator: "\t", omittingEmptySubsequences: false).count }).count
          == 1)
    }
  }

  @Test func `a line that is pasted into a shell runs nothing but carrel and sets no flag`()
    async throws
  {
    try await Stage.play { stage in
      let catalog = try HostileCatalog()
      let folder = try TemporaryFolder()
      try await prepare(stage, catalog)
      var lines: [String] = []
      for deed in Self.deeds + Self.views.filter({ $0 != "export --all -" }) {
        lines += commands(in: try await stage.carrel(deed.split(separator: " ").map(String.init)))
      }
      #expect(lines.contains { $0.hasPrefix("carrel return ") && $0.contains("touch ran") })
      for line in Set(lines) {
        let words = try await words(of: line, in: folder)
        let flags = words.prefix { $0 != "--" }.filter { $0.hasPrefix("--output") }
        #expect(flags.isEmpty, "\(line)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path("ran")))
    }
  }

  @Test func `the title bar of a real terminal stays as it was`() async throws {
    try await Stage.play { stage in
      let catalog = try HostileCatalog()
      let folder = try TemporaryFolder()
      try await prepare(stage, catalog)
      for deed in ["harvest", "search jane", "list create later", "list add later 1"] {
        try await stage.carrel(deed.split(separator: " ").map(String.init))
      }
      let program = "\(Mock.program("carrel")) --home \(stage.home)"
      // What is exported is exact in a file, and cleaned where a terminal shows it.
      let terminal = try await Terminal(
        120, 60, in: folder,
        ["/bin/sh", "-c", "\(program) search jane && \(program) list export later"])
      let before = try await terminal.title()
      try await terminal.shows("left with 0")
      let after = try await terminal.title()
      #expect(before == after && !after.contains("owned"))
      #expect(try await terminal.screen().components(separatedBy: "Emma").count > 2)
      try await terminal.close()
    }
  }
}
