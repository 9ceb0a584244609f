import Foundation
import HTTP
import JSON
import JourneySupport
import MockKit
import TestSupport
import Testing

/// A library that has rights to lend of a distributor: the distributor knows the library and no reader.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A library that lends rights of its own` {
  private func settle(_ stage: Stage, as password: String = "1111") throws {
    let told = stage.mock.ready["libraries"]?.array?.first { $0["id"]?.string == "stacks" }
    let catalog = try #require(told?["endpoints"]?["catalog"]?.string)
    let file = stage.key("stacks-password")
    try Data(password.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    try stage.writeSettings()
    let now = try String(contentsOfFile: stage.settings, encoding: .utf8)
    let library = """
        stacks:
          provider: opdslibrary
          name: Stacks
          endpoints:
            catalog: \(catalog)
          distributor_user: \(Mock.ada)
          distributor_password_file: \(file)

      """
    try Data((now + library).utf8).write(to: URL(filePath: stage.settings))
  }

  private func title(_ stage: Stage, copies: Int, as reader: String) async throws -> JSONValue {
    // The first looks put the questions to the distributor, a page at a time.
    var found: JSONValue?
    try await eventually("how many copies there are") {
      let items = try await stage.json("search", "the", "--limit", "200", "--as", reader).items
      found = items.first { item in
        item["offers"]?.array?.contains {
          $0["availability"]?["copies_total"]?.integer == copies
            && $0["availability"]?["copies_available"]?.integer == copies
        } == true
      }
      return found != nil
    }
    return try #require(found)
  }

  private func link(_ stage: Stage, _ reader: String) async throws {
    try await stage.json(
      "link", "opdslibrary", "--library", "stacks", "--name", "stacks", "--credentials-stdin",
      "--as", reader, input: "{}")
  }

  @Test
  func `a library that lends its own copies lends to readers until no copy is left`() async throws {
    try await Stage.play { stage in
      try settle(stage)
      for reader in ["ada", "bob", "cleo"] { try await link(stage, reader) }
      try await stage.json("harvest", "stacks", "--as", "ada")
      let book = try await title(stage, copies: 2, as: "ada")
      let id = try #require(book["id"]?.string)
      #expect(try await stage.json("borrow", id, "--as", "ada").item["result"] == "borrowed")
      #expect(try await stage.json("borrow", id, "--as", "bob").item["result"] == "borrowed")
      let late = try await stage.json("borrow", id, "--as", "cleo", exit: 6)
      #expect(late.item["result"] == "all_out" || late.failure["code"] != nil, "\(late)")
      // A distributor keeps no line.
      let hold = try await stage.json("hold", "add", id, "--as", "cleo", exit: 6)
      #expect(hold.failure["code"] == "unsupported", "\(hold)")
      // Each has a loan that the other knows nothing of, and may take the licence away.
      for reader in ["ada", "bob"] {
        try await stage.json("sync", "--as", reader)
        let loans = try await stage.json("loans", "--as", reader).items
        #expect(loans.count == 1 && loans[0]["until"]?.string != nil, "\(loans)")
      }
      let folder = stage.key("books")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let fetched = try await stage.json("get", id, "--to", folder, "--as", "ada")
      #expect(fetched.items.first?["state"]?.string == "done", "\(fetched)")
      try await stage.mock.advance("19d")
      let before = try await stage.json("loans", "--as", "ada").item["until"]?.string
      try await stage.json("renew", id, "--as", "ada")
      let after = try await stage.json("loans", "--as", "ada").item["until"]?.string
      #expect(after ?? "" > before ?? "-", "\(before ?? "") \(after ?? "")")
      #expect(try await stage.json("return", id, "--as", "ada").item["result"] == "returned")
      #expect(try await stage.json("borrow", id, "--as", "cleo").item["result"] == "borrowed")
      // Nobody's name or number stands in what the distributor was told.
      let written = try await stage.mock.admin(.get, "/requests").text()
      #expect(written.contains("/stacks/checkouts"))
      for name in ["ada", "bob", "cleo"] { #expect(!written.contains(#""\(name)""#)) }
    }
  }

  @Test func `linking reports a wrong password at the library's distributor`() async throws {
    try await Stage.play { stage in
      try settle(stage, as: "9999")
      let ending = try await stage.carrel(
        "link", "opdslibrary", "--library", "stacks", "--name", "stacks", "--credentials-stdin",
        "--json", input: "{}")
      #expect(ending.failure["code"] == "credentials_rejected", "\(ending)")
    }
  }
}
