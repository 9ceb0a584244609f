import Foundation
import Testing

/// The rules are only worth something if they fail: each is shown a small house with one fault.
@Suite struct `A planted fault is found` {
  @Test func `the import rule reports an upward import with its file and line`() throws {
    let rules = try house(
      [
        "Sources/App/Bootstrap/Boot.swift": "",
        "Sources/Platform/Log/Line.swift": "\nimport Bootstrap",
      ])
    #expect(
      rules.upwardImports().map(\.description) == [
        "Sources/Platform/Log/Line.swift:2: Platform/Log imports App/Bootstrap"
      ])
  }

  @Test(arguments: [
    "package import Web", "internal import struct Web.Page", "@testable import Web",
    "@_spi(Inside) public import Web",
  ])
  func `the import rule reports an upward import in any spelling`(line: String) throws {
    let rules = try house(
      ["Sources/Surfaces/Web/Page.swift": "", "Sources/Services/Desk/Desk.swift": line])
    #expect(rules.upwardImports().count == 1)
  }

  @Test func `the import rule reports a surface that imports another surface`() throws {
    let rules = try house(
      ["Sources/Surfaces/Web/A.swift": "import Facade", "Sources/Surfaces/Facade/B.swift": ""])
    #expect(rules.upwardImports().map(\.line) == [1])
  }

  @Test func `the import rule reports a provider that imports another provider`() throws {
    let rules = try house(
      [
        "Providers/One/A.swift": "import Two", "Providers/Two/B.swift": "import Log",
        "Sources/Platform/Log/Log.swift": "",
      ])
    #expect(rules.upwardImports().map(\.file) == ["Providers/One/A.swift"])
  }

  @Test func `the import rule reports a mock that imports the adapter it stands for`() throws {
    let rules = try house(
      [
        "Mocks/OneMock/A.swift": "import One\nimport MockKit", "Providers/One/B.swift": "",
        "Mocks/MockKit/C.swift": "",
      ])
    #expect(rules.upwardImports().map(\.line) == [1])
  }

  @Test(arguments: ["import CSQLite", "import Glibc"])
  func `the import rule reports a C module imported outside Platform`(line: String) throws {
    let rules = try house(
      [
        "Sources/C/CSQLite/shim.swift": "", "Sources/Services/Desk/Desk.swift": line,
        "Sources/Platform/Database/D.swift": line,
      ])
    #expect(rules.cImportsOutsidePlatform().map(\.file) == ["Sources/Services/Desk/Desk.swift"])
  }

  @Test(arguments: [
    "withTaskGroup(of: (Int, String).self) { group in", "Task<(Int, String), Never> {",
    "withThrowingTaskGroup(\n  of: (\n    Int, String).self) {", "TaskGroup<(Int, String)>",
    "Task { () async -> (Int, String) in", "Task.detached { () -> (Int, String) in",
    "Task(priority: .low) { () async -> (Int, String) in",
  ])
  func `the tuple rule reports a task that returns a tuple`(line: String) throws {
    let rules = try house(["Sources/Services/Desk/Desk.swift": "// of: (Int, Int)\n" + line])
    #expect(rules.tuplesFromTasks().map(\.line) == [2])
  }

  @Test(arguments: [
    "return (name, try await ask(name))", "return (\n  name,\n  .success(try await ask(name))\n)",
  ])
  func `the tuple rule reports a returned tuple that awaits a call that can fail`(line: String)
    throws
  {
    let rules = try house(["Tests/DeskTests/Tests.swift": line])
    #expect(rules.awaitedPartsOfTuples().map(\.line) == [1])
  }

  @Test(arguments: [
    "withTaskGroup(of: (any Sync).self) {", "Task { (one, two) in",
    "return (try await ask(name))", "return (name, try ask(name))",
    "return (name, number)\nlet answer = try await ask(name)",
  ])
  func `the tuple rules report nothing where no task returns a tuple`(line: String) throws {
    let rules = try house(["Sources/Services/Desk/Desk.swift": line])
    #expect(rules.tuplesFromTasks() == [])
    #expect(rules.awaitedPartsOfTuples() == [])
  }

  @Test
  func `the provider rule reports names in service code, not in own folders or comments`() throws {
    let rules = try house([
      "Providers/OverDrive/Wire.swift": "let name = \"OverDrive\"",
      "Sources/Services/Desk/Desk.swift": "// OverDrive is one\nlet isOverdrive = true",
    ])
    #expect(
      rules.strayProviderNames().map(\.description) == [
        "Sources/Services/Desk/Desk.swift:2: names the provider OverDrive"
      ])
  }

  @Test func `the length rule reports a long file unless it gives a reason`() throws {
    let long = String(repeating: "let x = 1\n", count: 320)
    let rules = try house([
      "Sources/Platform/Log/Long.swift": long,
      "Sources/Platform/Log/Argued.swift": "// Over 300 lines because it is one table.\n" + long,
    ])
    #expect(rules.longFiles().map(\.file) == ["Sources/Platform/Log/Long.swift"])
  }

  @Test func `A planted fault is found unsafe code outside Platform`() throws {
    let rules = try house([
      "Sources/Services/Desk/A.swift": "let a = unsafe b()",
      "Sources/Services/Desk/B.swift": "let unsafeName = 1  // unsafely",
      "Sources/Platform/Log/C.swift": "let a = unsafe b()",
    ])
    #expect(rules.unsafeOutsidePlatform().map(\.file) == ["Sources/Services/Desk/A.swift"])
  }

  @Test func `a planted write past the cleaned text is found`() throws {
    let rules = try house([
      "Sources/App/Commands/A.swift": "print(title)",
      "Sources/App/Commands/B.swift": "let a = TerminalText(stringLiteral: title)",
      "Sources/App/Commands/C.swift": "path.print(x)\nlet blueprint = reprint(x)",
      "Sources/Platform/Console/D.swift": "write(STDOUT_FILENO, x)",
    ])
    #expect(
      rules.uncleanedWrites().map(\.file).sorted() == [
        "Sources/App/Commands/A.swift", "Sources/App/Commands/B.swift",
      ])
  }

  private func house(_ files: [String: String]) throws -> Rules {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("carrel-house-\(UUID().uuidString)").resolvingSymlinksInPath()
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    return try Rules(root: root)
  }
}
