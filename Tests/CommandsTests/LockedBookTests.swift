import Crypto
import Foundation
import JSON
import MockKit
import Testing

@Suite struct `A locked book on the command line` {
  private let shell: Shell
  private let press: LicensePress
  private var trusting: [String: String] { ["CARREL_LCP_ROOTS_FILE": shell.path("roots.pem")] }

  init() throws {
    shell = try Shell()
    press = try LicensePress()
    try shell.write(press.root.pem, to: "roots.pem")
    try Data(locked(end: "2999-01-01T00:00:00Z"))
      .write(to: shell.home.appending(path: "book.epub"))
    try secret("Zoë\n", "right")
    try secret("zoë", "wrong")
  }

  private func secret(_ text: String, _ name: String) throws {
    try shell.write(text, to: name)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: shell.path(name))
  }

  private func locked(end: String) throws -> [UInt8] {
    let key = Digest.sha256.hash("content")
    var order = LicensePress.Order(
      id: "1", issued: "2026-01-01T00:00:00Z", passphrase: Digest.sha256.hash("Zoë"),
      contentKey: key,
      links: [
        ["rel": "hint", "href": "https://lender.example/hint"],
        ["rel": "publication", "href": "https://lender.example/book"],
      ])
    order.rights = ["end": .string(end)]
    let title = Title(
      id: "1", name: "Lent", authors: ["A Whale"], copies: .unlimited,
      added: Moment(milliseconds: 0))
    return try MockBook(title).locked(with: key, license: press.license(order))
  }

  private func run(_ words: String..., trusting: Bool = true) throws -> (Shell.Ending, String?) {
    let ending = try shell.carrel(words + ["--json"], variables: trusting ? self.trusting : [:])
    let code = try? JSONValue(parsing: ending.error)["error"]?["code"]?.string
    return (ending, code)
  }

  @Test
  func `carrel epub inspects and searches a locked book with a passphrase from a file`() throws {
    let (told, _) = try run("epub", "inspect", "book.epub", "--passphrase-file", "right")
    #expect(told.code == 0)
    #expect(told.output.contains("Lent"))
    let (found, _) = try run("epub", "search", "book.epub", "whale", "--passphrase-file", "right")
    #expect(try JSONValue(parsing: found.output)["items"]?[0]?["count"] == 1)
    let (sound, _) = try run("epub", "check", "book.epub", "--passphrase-file", "right")
    #expect(sound.code == 0)
  }

  @Test
  func `carrel epub says why a locked book cannot be opened and shows the lender's hint`() throws {
    let (ending, code) = try run("epub", "inspect", "book.epub")
    #expect(code == "passphrase-needed" && ending.code == 6)
    #expect(ending.error.contains("The word on your card"))
    #expect(
      try run("epub", "inspect", "book.epub", "--passphrase-file", "wrong").1 == "passphrase-wrong")
    let (stranger, other) = try run("epub", "inspect", "book.epub", trusting: false)
    #expect(other == "drm-lcp")
    #expect(stranger.error.contains("No root certificate is set"))
    try Data(locked(end: "2026-01-02T00:00:00Z"))
      .write(to: shell.home.appending(path: "late.epub"))
    let (late, _) = try run("epub", "inspect", "late.epub", "--passphrase-file", "right")
    #expect(late.error.contains("The licence ended at 2026-01-02T00:00:00Z"))
  }

  @Test func `notes on a locked book need its passphrase once and not from then on`() throws {
    let home = ["--home", shell.path("house"), "--as", "ada"]
    let add = ["note", "add", "book.epub", "--quote", "whale", "Mine"]
    let refused = try shell.carrel(home + add + ["--json"], variables: trusting)
    #expect(refused.code == 6 && refused.error.contains("passphrase-needed"), "\(refused)")
    let added = try shell.carrel(
      home + add + ["--passphrase-file", "right", "--json"], variables: trusting)
    #expect(added.code == 0, "\(added)")
    for words in [
      ["bookmark", "add", "book.epub", "--at", "10%"], ["note", "ls", "book.epub"],
      ["note", "export", "book.epub"],
    ] {
      let again = try shell.carrel(home + words, variables: trusting)
      #expect(again.code == 0, "\(words): \(again)")
    }
  }

  @Test func `carrel epub refuses a passphrase file that others can read`() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: shell.path("right"))
    let (_, code) = try run("epub", "inspect", "book.epub", "--passphrase-file", "right")
    #expect(code == "unreadable")
  }

  @Test func `A locked book on the command line is not written out`() throws {
    let (text, code) = try run("epub", "text", "book.epub", "--passphrase-file", "right")
    #expect(code == "not-written-out" && !text.output.contains("whale"))
    let (read, other) = try run("read", "book.epub", "--linear", "--passphrase-file", "right")
    #expect(other == "not-written-out" && !read.output.contains("whale"))
  }
}
