import Foundation
import JSON
import JourneySupport
import Testing

extension Stage {
  /// The service of this kind that the mock plays, written into the settings under a name.
  func know(_ provider: String, as name: String) throws {
    let libraries = mock.ready["libraries"]?.array ?? []
    let played = try #require(libraries.first { $0["provider"]?.string == provider }?["endpoints"])
    var text = try String(contentsOfFile: settings, encoding: .utf8)
    text += "  \(name):\n    provider: \(provider)\n    name: \(name)\n    endpoints:\n"
    text += "      api: \(played["api"]?.string ?? "")\n"
    if let contact = played["contact"]?.string { text += "    contact: \(contact)\n" }
    for key in ["key", "secret"] {
      guard let value = played[key]?.string else { continue }
      let file = self.key("\(name)-\(key)")
      try Data(value.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      text += "    \(key)_file: \(file)\n"
    }
    try text.write(toFile: settings, atomically: true, encoding: .utf8)
  }
}

extension `A reader` {
  /// Lists kept at another service, from the account to what is written there and taken back.
  func keepsListsElsewhere(_ stage: Stage) async throws {
    #expect(try await stage.json("list", "carry").items == [])
    #expect(try await stage.json("list", "sync", exit: 5).failure["code"] == "no_lists_linked")
    try stage.know("open-library", as: "shelves")
    let keys = #"{"access": "\#(Mock.ada)", "secret": "1111"}"#
    try await stage.json(
      "link", "open-library", "--name", "shelves", "--credentials-stdin", input: keys)
    let came = try await stage.json("list", "sync").item
    #expect(came["state"] == "fresh" && came["whole"] == true && came["writes"] == [])
    let wanted = try await stage.json("list", "show", "shelves/Want to Read").items
    #expect(!wanted.isEmpty && came["arrived"]?.array?.count ?? 0 > wanted.count)

    // It is named there and goes with the account.
    let name = "shelves/Want to Read"
    #expect(
      try await stage.json("list", "rename", name, "mine", exit: 6).failure["code"]
        == "list_mirrored")
    try await stage.json("list", "create", "mine")
    #expect(
      try await stage.json("list", "sync", "mine", exit: 6).failure["code"] == "list_not_mirrored")
    try await stage.json("list", "delete", "mine", "--yes")

    let carried = try await stage.json("list", "carry", "shelves", "--ratings").item
    #expect(carried["carried"] == ["rated"] && carried["writable"] == true)
    let gone = try #require(wanted[0]["title"]?.string)
    try await stage.json("list", "remove", name, gone)
    let plan = try await stage.json("list", "sync", "--dry-run").item
    #expect(plan["writes"]?.array?.map { $0["state"] } == ["planned"])
    let done = try await stage.json("list", "sync", name).item
    #expect(done["writes"]?.array?.map { $0["deed"] } == ["remove"])
    #expect(done["writes"]?[0]?["state"] == "done" && done["writes"]?[0]?["title"]?.string == gone)

    let log = try await stage.json("list", "log").items
    #expect(log.map { $0["title"]?.string } == [gone])
    let number = try #require(log[0]["id"]?.integer)
    try await stage.json("list", "undo", "\(number)")
    #expect(
      try await stage.json("list", "undo", "\(number + 99)", exit: 5).failure["code"]
        == "unknown_write")
    let back = try await stage.json("list", "sync").item
    #expect(back["writes"]?.array?.map { $0["deed"] } == ["add"])
    let again = try await stage.json("list", "sync").item
    #expect(again["writes"] == [] && again["arrived"] == [] && again["left"] == [])

    try await stage.json("unlink", "shelves", "--yes")
    #expect(
      try await stage.json("list", "ls").items.allSatisfy {
        $0["name"]?.string?.hasPrefix("shelves/") == false
      })
  }
}
