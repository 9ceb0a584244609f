import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

@testable import Commands

/// What the documents tell people to type does what they say.
@Suite(.timeLimit(.minutes(5))) struct `The documents` {
  @Test(arguments: DocPage.all) func `The documents can be typed as they stand`(_ path: String)
    async throws
  {
    let page = try DocPage(path)
    guard page.script.contains("step ") else { return }
    switch page.stage {
    case .none: try await type(page, path, [:])
    // A suite of its own plays it, where that can be done.
    case .machine: break
    case .cards:
      try await Stage.play { stage in
        try await stage.link(Mock.ada, "1111", as: "city")
        try await stage.json("harvest")
        let admin = stage.mock.ready["admin"]?.string ?? ""
        try await type(page, path, ["CARREL_HOME": stage.home, "CARREL_MOCK_ADMIN": admin])
      }
    }
  }

  @Test(arguments: DocPage.all)
  func `The documents name where else a command is run`(_ path: String) throws {
    for case .elsewhere(let body, let why) in try DocPage(path).steps {
      let names = why.split(separator: " ").filter { word in
        word.contains("/")
          && FileManager.default.fileExists(
            atPath: DocPage.root.appending(path: String(word)).path())
      }
      #expect(!names.isEmpty, "\(path): \(body) is run elsewhere: \(why)")
    }
  }

  /// Nobody changes a version and forgets what was written for the one before.
  @Test(arguments: DocPage.whole)
  func `The documents say at their foot which program they are true for`(_ path: String) throws {
    let text = try String(contentsOf: DocPage.root.appending(path: path), encoding: .utf8)
    #expect(text.hasSuffix("\n\n\(Reference.foot)\n"), "\(path) ends otherwise")
  }

  @Test func `The documents have a reference that the program wrote`() async throws {
    try await Stage.play { stage in
      let folder = stage.home + "/reference"
      try await stage.json("reference", folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        let fresh = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        let place = DocPage.root.appending(path: "docs/reference/\(name)")
        let kept = try? String(contentsOf: place, encoding: .utf8)
        #expect(
          kept == fresh, "docs/reference/\(name) is old: run carrel reference docs/reference")
      }
    }
  }

  private func type(
    _ page: DocPage, _ path: String, _ surroundings: [String: String]
  ) async throws {
    let folder = try TemporaryFolder()
    let home = folder.path("home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let programs = URL(filePath: Mock.program("carrel")).deletingLastPathComponent().path()
    var variables = [
      "HOME": home, "PATH": "\(programs):/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "TZ": "UTC", "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "CARREL_HOME": "", "CARREL_CONFIG": "",
      "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": "",
    ]
    variables.merge(surroundings) { $1 }
    // Pages name ports that people remember; here they may be taken.
    var script = page.script
    for match in Set(page.script.matches(of: /\b80[0-9]{2}\b/).map { String($0.output) }) {
      script.replace(match, with: "\(try sparePort())")
    }
    let finished = try await run(
      "/bin/sh", ["-c", script], environment: variables, folder: home, within: .seconds(240))
    #expect(
      finished.end == .exited(0), "\(path): \(finished.outputText)\(finished.errorText)")
  }
}
