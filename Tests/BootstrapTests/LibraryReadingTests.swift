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

  @Test func `A library's settings become what the adapter wants`() throws {
    let library = try read("number: 12\nkey_file: \(try key("s3cret\n"))")
    #expect(library.settings == ["number": "12"])
    #expect(library.secrets["key"]?.revealText { $0 } == "s3cret")
    #expect(library.endpoints["web"]?.text == "https://lender.example/")
    #expect(library.name == "city")
  }

  @Test func `A library's settings name a set of addresses, of ours or of their own file`() throws {
    let own = try read(
      "number: 12\nendpoints: replay\nkey_file: \(try key("s"))",
      endpoints: "lender: {replay: {web: 'http://127.0.0.1:9/'}}")
    #expect(own.endpoints["web"]?.text == "http://127.0.0.1:9/")
  }

  @Test(
    arguments: [
      ("key_file: KEY", "a.yaml:2:3: libraries.city.number is missing: its number"),
      ("number: 1", "a.yaml:2:3: libraries.city.key_file is missing: a file with its key"),
      ("number: 1\nkey: s", "a.yaml:5:5: libraries.city.key must not stand in the settings"),
      (
        "number: 1\nkey_file: KEY\nnumbr: 2",
        "a.yaml:6:5: unknown key 'libraries.city.numbr'; did you mean 'libraries.city.number'?"
      ),
      (
        "number: 1\nkey_file: KEY\ntime_zon:",
        "a.yaml:6:5: unknown key 'libraries.city.time_zon'; did you mean 'libraries.city.time_zone'?"
      ),
      (
        "number: 1\nkey_file: KEY\nendpoints: moon",
        "a.yaml:6:16: libraries.city.endpoints: 'moon' is no set of addresses; known are production"
      ),
      (
        "number: 1\nkey_file: KEY\nendpoints: {wob: 'http://x'}",
        "a.yaml:6:17: unknown key 'libraries.city.endpoints.wob'; "
          + "did you mean 'libraries.city.endpoints.web'?"
      ),
      (
        "number: 1\nkey_file: KEY\nendpoints: {web: 'ftp://x'}",
        "a.yaml:6:22: libraries.city.endpoints.web must be a web address"
      ),
      ("number: 1\nkey_file: /no/such/file", "a.yaml:5:15: libraries.city.key_file: "),
      (
        "number: 1\nkey_file: KEY\ntime_zone: Mars/Olympus",
        "a.yaml:6:16: libraries.city.time_zone must be a time zone of this system"
      ),
    ])
  func `A library's settings tell what is wrong with them, and where`(
    _ lines: String, expected: String
  ) throws {
    let text = lines.replacingOccurrences(of: "KEY", with: try key("s"))
    do {
      _ = try read(text)
      Issue.record("taken")
    } catch let error as HouseError {
      guard case .faulty(_, let sentence) = error else { throw error }
      #expect(sentence.contains(expected), "\(sentence)")
    }
  }

  @Test func `A library's settings with a key that others can read are refused`() throws {
    let open = try key("s", mode: 0o644)
    #expect(throws: HouseError.self) { try read("number: 1\nkey_file: \(open)") }
  }

  /// The file in `config/` and what is built in say the same.
  @Test func `A library's settings have the addresses that config/endpoints.yaml shows`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../config/endpoints.yaml").standardized
    let file = try EndpointsFile([UInt8](Data(contentsOf: path)), path: "endpoints.yaml")
    for listing in allProviders where !listing.needs.environments.isEmpty {
      #expect(file.sets[listing.id.rawValue] == listing.needs.environments)
    }
    #expect(Set(file.sets.keys).isSubset(of: allProviders.map(\.id.rawValue)))
  }
}
