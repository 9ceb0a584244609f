import Circulation
import Foundation
import Log
import ProviderKit
import Setup
import Synchronization
import TestSupport
import Testing

@testable import Bootstrap

/// The check behind `config check`, `serve`, SIGHUP and `doctor`, with the providers as they are.
@Suite struct `The check of libraries in the settings` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sources(_ yaml: String, endpoints: String = "") throws -> ConfigurationSources {
    var sources = ConfigurationSources(files: [
      try SettingsFile(Array(yaml.utf8), path: "a.yaml")
    ])
    sources.endpoints = try EndpointsFile(Array(endpoints.utf8), path: "e.yaml")
    sources.libraryCheck = { LinkedEngine().faults(of: $0, endpoints: $1) }
    return sources
  }

  private func faults(_ yaml: String, endpoints: String = "") throws -> [ConfigurationFault] {
    let sources = try sources(yaml, endpoints: endpoints)
    do throws(ConfigurationError) {
      return try Configuration(from: sources).faults
    } catch {
      return error.faults
    }
  }

  private func key(_ text: String = "s3cret") throws -> String {
    try folder.write(Array(text.utf8), to: "key")
  }

  @Test
  func `the check of library settings reports all faults of all libraries in file order`() throws {
    let key = try key()
    let found = try faults(
      """
      server:
        prot: 1
      libraries:
        city:
          provider: overdriv
        lantern:
          provider: overdrive
          libary_id: 12
          client_key_file: /no/such/file
          client_secret: s3cret
          website_id: 1
          authorization_name: x
          pin_required: perhaps
          sign_in: fax
          advantage_id: many
          endpoints:
            discovery: ftp://x
            patron: https://p.example
            oauth: https://o.example
        town:
          provider: library_desk
          koha_user: carrel
          koha_password_file: \(key)
          proof: [pin]
          time_zone: Mars/Olympus
      """)
    let unreadable =
      found.first { $0.key?.hasSuffix("client_key_file") == true }?.message
      .components("client_key_file: ").last?.components(";").first ?? "not found"
    let shown = found.map { $0.description.prefix { $0 != ";" }.description }
    #expect(
      shown == [
        "a.yaml:2:3: unknown key 'server.prot'",
        "a.yaml:5:15: libraries.city.provider: there is no provider 'overdriv'",
        "a.yaml:8:5: unknown key 'libraries.lantern.libary_id'",
        "a.yaml:9:22: libraries.lantern.client_key_file: \(unreadable)",
        "a.yaml:10:5: libraries.lantern.client_secret must not stand in the settings: write it to a "
          + "file and name that in client_secret_file",
        "a.yaml:13:19: libraries.lantern.pin_required is neither true nor false",
        "a.yaml:14:14: libraries.lantern.sign_in is neither card nor page",
        "a.yaml:15:19: libraries.lantern.advantage_id is no account number",
        "a.yaml:16:5: libraries.lantern.endpoints.patron_oauth is missing: write the address of the "
          + "service there",
        "a.yaml:17:18: libraries.lantern.endpoints.discovery must be a web address such as "
          + "https://example.org, not 'ftp://x'",
        "a.yaml:20:3: libraries.town.endpoints.koha is missing: write the address of the service "
          + "there",
        "a.yaml:24:12: libraries.town.proof must be a text, not a list",
        "a.yaml:25:16: libraries.town.time_zone must be a time zone of this system such as "
          + "Europe/Berlin, not 'Mars/Olympus'",
      ], "\(shown.joined(separator: "\n"))")
    #expect(found.filter { $0.effect == .disablesLibrary }.count == 2)
    #expect(found.first { $0.library == "city" }?.suggestion == "overdrive")
  }

  @Test
  func `an unreadable secret or unusable address disables its library, not the gateway`() throws {
    let configuration = try Configuration(
      from: sources(
        """
        libraries:
          city:
            provider: axis360
            library_id: x
            username_file: /no/such/file
            password_file: \(key())
          lantern:
            provider: hathitrust
            endpoints: test
        """, endpoints: "hathitrust:\n  test:\n    catalog: nowhere\n"))
    #expect(configuration.libraries.count == 2)
    #expect(configuration.faults.map(\.effect) == [.disablesLibrary, .disablesLibrary])
    #expect(configuration.faults.map(\.library) == ["city", "lantern"])
    #expect(configuration.faults.last?.place.description == "e.yaml:3:14")
    #expect(configuration.faults.first?.description.contains("is disabled until") == true)
  }

  @Test func `library desk settings need a valid address for each system they name`() throws {
    let key = try key()
    let found = try faults(
      """
      libraries:
        town:
          provider: library_desk
          sign_in: sip2
          titles: sru
          sip2_login: carrel
          sip2_password_file: \(key)
          endpoints:
            sip2: http://ils.example.org
            kohaa: http://ils.example.org
            opac: http://ils.example.org
      """)
    #expect(
      found.map(\.key) == [
        "libraries.town.endpoints.sru", "libraries.town.endpoints.sip2",
        "libraries.town.endpoints.kohaa",
      ])
    #expect(found[1].message.contains("sip2://HOST:PORT or sip2s://HOST:PORT"))
    #expect(found[2].suggestion == "libraries.town.endpoints.koha")
  }

  @Test func `an unusable cards file disables its own library only`() throws {
    let cards = try folder.write(Array("card without a hash\n".utf8), to: "cards")
    let found = try faults(
      """
      libraries:
        town:
          provider: library_desk
          sign_in: list
          cards_file: \(cards)
      """)
    #expect(found.map(\.effect) == [.disablesLibrary])
    #expect(found.first?.place.description == "a.yaml:5:17")
    #expect(found.first?.message.contains("has a line 1") == true)
  }

  @Test func `an unreadable Adobe secret leaves its library enabled`() throws {
    let found = try faults(
      """
      libraries:
        free:
          provider: gutenberg
          adobe_name: FREE
          adobe_secret_file: /no/such/file
      """)
    #expect(found.map(\.effect) == [.disablesAdobe])
    #expect(found.first?.place.description == "a.yaml:5:24")
  }

  @Test func `a provider that needs no settings is accepted without any`() throws {
    for listing in allProviders where listing.commonLibrary != nil {
      #expect(
        try faults("libraries: {one: {provider: \(listing.id.rawValue)}}").isEmpty,
        "\(listing.id.rawValue)")
    }
  }

  @Test func `a running gateway logs when a library is disabled and when it works again`() throws {
    let written = Mutex<[String]>([])
    let log = Log(
      level: .info, format: .logfmt, inJournal: false, time: { "now" },
      sink: { bytes in written.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } })
    let path = try key()
    let configuration = try Configuration(
      from: sources(
        """
        libraries:
          city:
            provider: axis360
            library_id: x
            username_file: \(path)
            password_file: \(path)
        """))
    let watch = LibraryMonitor(configuration, Logger(to: log))
    watch.look()
    #expect(watch.disabled.isEmpty && written.withLock { $0.isEmpty })
    try FileManager.default.removeItem(atPath: path)
    for _ in 0..<2 { watch.look() }
    #expect(watch.disabled == ["city"])
    let errors = written.withLock { $0 }
    #expect(errors.count == 2, "one line for each of its two files, once")
    #expect(errors.allSatisfy { $0.contains("level=error") && $0.contains("library=city") })
    _ = try key()
    watch.look()
    #expect(watch.disabled.isEmpty)
    #expect(written.withLock { $0 }.last?.contains("enabled again") == true)
  }
}
