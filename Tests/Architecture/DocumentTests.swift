import Foundation
import Testing

/// What the pages for operators say is there is there.
private enum Page {
  static func text(_ path: String) throws -> String {
    try String(
      contentsOf: SourceTree.checkout.appendingPathComponent(path), encoding: .utf8)
  }

  /// The rows of all tables, as their cells.
  static func rows(of page: String) -> [[String]] {
    page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}

/// Names of tests and of suites.
private enum TestNames {
  static let all = names { $0.isTest }
  static let attacks = names { $0.path.hasPrefix("Tests/Security/") }

  private static func names(_ isWanted: (SourceFile) -> Bool) -> Set<String> {
    guard let tree = try? SourceTree(at: SourceTree.checkout) else { return [] }
    var names: Set<String> = []
    for file in tree.files where isWanted(file) {
      for line in file.lines where line.utf8.contains(UInt8(ascii: "`")) {
        for match in line.matches(of: #/(?:func|struct) `([^`]+)`/#) {
          names.insert(String(match.1))
        }
      }
    }
    return names
  }
}

@Suite struct `The list of what Carrel is made with` {
  private let page: String
  private let setup: String

  init() throws {
    page = try Page.text("docs/dependencies.md")
    setup = try Page.text("scripts/setup")
  }

  /// The packages that scripts/setup installs for each task, continuation lines joined.
  private var installed: Set<String> {
    let joined = setup.replacingOccurrences(of: "\\\n", with: " ")
    var found: Set<String> = []
    for match in joined.matches(of: #/(?m)^ *(?:build|test|bench|deb)\) echo ([^;]+);;/#) {
      found.formUnion(match.1.split(separator: " ").map(String.init))
    }
    return found
  }

  @Test func `The list of what Carrel is made with is what scripts/setup installs`() throws {
    let listed = Set(Page.rows(of: page).map { $0[0] })
    #expect(installed.count > 30)
    #expect(installed.subtracting(listed).sorted() == [], "installed, and not listed")
    let named = Set(setup.matches(of: #/([a-z0-9_-]+)==[0-9.]+ --hash/#).map { String($0.1) })
    #expect(named.count > 5)
    #expect(named.subtracting(listed).sorted() == [], "from PyPI, and not listed")
    let strangers = listed.subtracting(installed).subtracting(named)
      .subtracting(["package", "swift (swift.org)"])
    #expect(strangers.sorted() == [], "listed, and not installed")
  }

  @Test func `The list of what Carrel is made with has the versions from PyPI that are asked for`()
  {
    let versions = Dictionary(
      Page.rows(of: page).map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    for match in setup.matches(of: #/([a-z0-9_-]+)==([0-9.]+) --hash/#) {
      #expect(versions[String(match.1)] == String(match.2))
    }
  }

  @Test func `The list of what Carrel is made with names a library for each C module`() throws {
    let modules = Set(
      Page.rows(of: page).filter { $0.count == 5 }.flatMap { row in
        row[1].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      })
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: SourceTree.checkout.appendingPathComponent("Sources/C").path)
    #expect(Set(folders).subtracting(modules).sorted() == [])
    let package = try Page.text("Package.swift")
    let known = Set(package.matches(of: #/apt: "([^"]+)"/#).map { String($0.1) })
    #expect(known.subtracting(Page.rows(of: page).map { $0[0] }).sorted() == [])
  }

  @Test func `The list of what Carrel is made with says of each its versions and its licence`() {
    for row in Page.rows(of: page) where row.count >= 4 {
      #expect(row.allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }
}

@Suite struct `The security review` {
  private let rows: [[String]]
  private let page: String

  init() throws {
    page = try Page.text("docs/security.md")
    rows = Page.rows(of: page).filter { $0[0].hasPrefix("v5.0.0-") }
  }

  @Test func `The security review names no test that is not there`() {
    let quoted = Set(
      rows.flatMap { row in row.joined().matches(of: #/“([^”]+)”/#).map { String($0.1) } })
    #expect(quoted.count > 60)
    #expect(quoted.subtracting(TestNames.all).sorted() == [])
  }

  @Test
  func `the security review covers all 17 chapters, each requirement with a test or a reason`() {
    let numbers = rows.map { String($0[0].dropFirst(7)) }
    #expect(Set(numbers).count == numbers.count)
    let chapters = Set(numbers.compactMap { $0.split(separator: ".").first.flatMap { Int($0) } })
    #expect(chapters == Set(1...17))
    for row in rows {
      let isShown = row.count > 4 && row[4].contains("“")
      let isReasoned = row.count > 3 && !row[3].isEmpty
      #expect(isShown || isReasoned, "\(row[0]) has neither test nor reason")
    }
  }

  @Test func `The security review counts what it says`() {
    for (word, phrase) in [
      ("met", "are met"), ("in part", "in part"), ("**not met**", "not"),
      ("does not apply", "do not apply"),
    ] {
      let count = rows.count { $0[2] == word }
      #expect(page.contains("\(count) \(phrase)"), "\(count) \(phrase)")
    }
  }
}

@Suite struct `The threat model` {
  @Test func `The threat model names every test of an attack, and none that is not there`() throws {
    let page = try Page.text("docs/threats.md").replacing("\n", with: " ")
    let quoted = Set(page.matches(of: #/“([^”]+)”/#).map { String($0.1) })
    #expect(quoted.subtracting(TestNames.all).sorted() == [])
    let attacks = TestNames.attacks.filter { !$0.isEmpty && $0.first?.isUppercase == false }
    #expect(attacks.count > 40)
    #expect(attacks.subtracting(quoted).sorted() == [])
  }
}
