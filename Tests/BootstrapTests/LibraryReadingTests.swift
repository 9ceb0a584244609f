import Circulation
import Foundation
import HTTP
import ProviderKit
import Secrets
import Setup
import TestSupport
import Testing

@testable import Bootstrap

@Suite struct `A library's settings` {
  private let folder: TemporaryFolder
  private let listing = ProviderListing(
    id: .init("lender"), title: "Lender", capabilities: [], fields: [],
    needs: LibraryNeeds(
      settings: [
        .init("number", "Its number", isSecret: false),
        .init("key", "Its key", isSecret: true),
        .init("child", "A child", isSecret: false, isRequired: false),
      ],
      environments: ["production": ["web": "https://lender.example"]]),
    make: { _, _, _ throws(SettingsFault) in throw SettingsFault(.init("x"), "x", "x") })

  init() throws { folder = try TemporaryFolder() }

  private func read(_ lines: String, endpoints: String = "") throws -> ProviderKit.Library {
    let text =
      "libraries:\n  city:\n    provider: lender\n"
      + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
    let file = try SettingsFile(Array(text.utf8), path: "a.yaml")
    let configuration = try Configuration(from: ConfigurationSources(files: [file]))
    return try LibraryReading(
      configuration.libraries[0], listing,
      EndpointsFile(Array(endpoints.utf8), path: "e.yaml")
    ).library()
  }

  private func key(_ text: String, mode: Int = 0o600) throws -> String {
    let path = folder.path + "/key"
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test func `become what the adapter wants`() throws {
    let library = try read("number: 12\nkey_file: \(try key("s3cret\n"))")
    #expect(library.settings == ["number": "12"])
    #expect(library.secrets["key"]?.revealText { $0 } == "s3cret")
    #expect(library.endpoints["web"]?.text == "https://lender.example/")
    #expect(library.name == "city")
  }

  @Test func `name a set of addresses, of ours or of their own file`() throws {
    let own = try read(
      "number: 12\nendpoints: replay\nkey_file: \(try key("s"))",
      endpoints: "lender: {replay: {web: 'http://127.0.0.1:9/'}}")
    #expect(own.endpoints["web"]?.text == "http://127.0.0.1:9/")
  }

  @Test(
    arguments: [
      ("key_file: KEY", "lack number"), ("number: 1", "lack key_file"),
      ("number: 1\nkey: s", "secrets do not stand in the settings"),
      ("number: 1\nkey_file: KEY\nnumbr: 2", "no setting 'numbr', but 'number'"),
      ("number: 1\nkey_file: KEY\nendpoints: moon", "'moon' is not known, only production"),
      ("number: 1\nkey_file: KEY\nendpoints: {web: 'ftp://x'}", "must be a web address"),
      ("number: 1\nkey_file: /no/such/file", "a readable key_file"),
      ("number: 1\nkey_file: KEY\ntime_zone: Mars/Olympus", "not 'Mars/Olympus'"),
    ])
  func `tell what is wrong with them, and where`(_ lines: String, expected: String) throws {
    let text = lines.replacingOccurrences(of: "KEY", with: try key("s"))
    do {
      _ = try read(text)
      Issue.record("taken")
    } catch let error as HouseError {
      let item = ErrorItemText(error)
      #expect(item.text.contains(expected.replacingOccurrences(of: "lack ", with: "")), "\(item)")
      #expect(item.text.contains("a.yaml:"))
    }
  }

  @Test func `with a key that others can read are refused`() throws {
    let open = try key("s", mode: 0o644)
    #expect(throws: HouseError.self) { try read("number: 1\nkey_file: \(open)") }
  }

  /// The file in `config/` and what is built in say the same.
  @Test func `have the addresses that config/endpoints.yaml shows`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../config/endpoints.yaml").standardized
    let file = try EndpointsFile([UInt8](Data(contentsOf: path)), path: "endpoints.yaml")
    for listing in allProviders where !listing.needs.environments.isEmpty {
      #expect(file.sets[listing.id.rawValue] == listing.needs.environments)
    }
    #expect(Set(file.sets.keys).isSubset(of: allProviders.map(\.id.rawValue)))
  }
}

private struct ErrorItemText: CustomStringConvertible {
  let text: String
  var description: String { text }

  init(_ error: HouseError) {
    if case .library(_, let what) = error { text = what } else { text = "\(error)" }
  }
}
