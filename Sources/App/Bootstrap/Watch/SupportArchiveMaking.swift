import Archive
import Circulation
import Database
import Desk
import HTTP
import HTTPClient
package import Items
import JSON
import Log
import Machine
import ProviderKit
import Registry
import Schedule
import Secrets
package import Setup

/// What whoever helps needs to see, and nothing that anybody could misuse: no card, no PIN, no title, no
/// reader. What slips in all the same is taken out by the redactor of the log.
struct SupportArchiveMaking {
  let doctor: Doctor
  let checks: [CheckupItem]
  let libraries: [LinkedLibrary]

  private var configuration: Configuration { doctor.configuration }

  func archive() async -> SupportArchive {
    let redactor = Redactor()
    learnSettings(redactor)
    var files = [
      file("checks.json", "what carrel doctor found", .array(checks.map(\.json))),
      file("version.json", "the release and its libraries", version),
      file("settings.json", "each setting with where it comes from", settings),
      file("libraries.json", "the libraries of the settings, by kind and host", hosts),
      file("variables.json", "the names of variables, without values", variables),
      file("machine.json", "system, processors, memory, room on disks", machine),
    ]
    if let house = try? await House(doctor.seat) {
      await learnCards(house, redactor)
      files.append(
        file("database.json", "the kind of database, its changes, sizes", await tables(house)))
      files.append(file("jobs.json", "the schedule, by kind", await jobs(house)))
      await house.close()
    }
    let cleaned = files.map { file in
      SupportArchive.File(file.name, file.about, redactor.redacted(file.bytes) ?? file.bytes)
    }
    let all = [readme(cleaned)] + cleaned
    var tar = TarWriter()
    for file in all { tar.add("carrel-support/\(file.name)", file.bytes) }
    tar.finish()
    return SupportArchive(files: all, bytes: tar.bytes)
  }

  private func file(_ name: String, _ about: String, _ value: JSONValue) -> SupportArchive.File {
    SupportArchive.File(name, about, Array((value.text() + "\n").utf8))
  }

  private func readme(_ files: [SupportArchive.File]) -> SupportArchive.File {
    var text = """
      Support archive of carrel, made by carrel doctor --bundle.

      It holds no card, PIN, password, token or key, no name of a reader, and no title. Values of
      secrets that the gateway knows were looked for in every file and replaced by dots.


      """
    for file in files { text += "\(file.name): \(file.about)\n" }
    return SupportArchive.File("README.txt", "what is in here", Array(text.utf8))
  }

  // MARK: - What must not be inside

  private func learnSettings(_ redactor: Redactor) {
    for path in doctor.secretFiles {
      if let secret = Secret(inFile: path) { redactor.learn(secret) }
    }
    for resolved in configuration.resolved where resolved.spec.secrecy != .open {
      for text in resolved.texts {
        for piece in Self.passwords(in: text) { redactor.learn(Secret(piece)) }
      }
    }
    let words = ["PASSWORD", "SECRET", "TOKEN", "_PIN", "PASSPHRASE", "KEY"]
    for (name, value) in doctor.seat.place.environment
    where value.utf8.count >= 6 && !value.hasPrefix("/") && words.contains(where: name.contains) {
      redactor.learn(Secret(value))
    }
  }

  /// What stands between a colon and an at sign, and what follows `password=`.
  private static func passwords(in text: String) -> [String] {
    var found: [String] = []
    if let at = text.lastIndex(of: "@"), let scheme = text.firstRange(of: "://"),
      scheme.upperBound < at, let colon = text[scheme.upperBound..<at].firstIndex(of: ":")
    {
      found.append(String(text[text.index(after: colon)..<at]))
    }
    if let mark = text.firstRange(of: "password=") {
      found.append(String(text[mark.upperBound...].prefix { $0 != "&" && $0 != " " }))
    }
    return found.filter { !$0.isEmpty }
  }

  /// Cards and PINs are in no file here; this is the second net. It is left out where there are more
  /// than anybody would wait for.
  private func learnCards(_ house: House, _ redactor: Redactor) async {
    guard let accounts = try? await house.registry.accounts(), accounts.count <= 500 else { return }
    for account in accounts {
      let opened = try? await house.registry.credentials(of: account.id, request: "support-archive")
      for secret in opened?.fields.values.map({ $0 }) ?? [] { redactor.learn(secret) }
    }
  }

  // MARK: - What is inside

  private var version: JSONValue {
    let release = doctor.seat.place.release
    return [
      "version": .string(release.number), "commit": .string(release.commit),
      "libraries": .array(
        libraries.map { ["name": .string($0.name), "version": .string($0.version)] }),
    ]
  }

  private var settings: JSONValue {
    .array(
      configuration.resolved.map { resolved in
        [
          "key": .string(resolved.spec.key),
          "value": resolved.shown.map(JSONValue.string) ?? .null,
          "origin": .string(resolved.origin.description),
        ]
      })
  }

  /// Keys of a library's settings and hosts alone: values may be names and numbers of a contract.
  private var hosts: JSONValue {
    .array(
      configuration.libraries.map { library in
        let hosts = library.endpoints.values.compactMap { (try? Address($0.value))?.authority }
        return [
          "id": .string(library.id), "provider": .string(library.provider.value),
          "hosts": .array(Set(hosts).sorted().map(JSONValue.string)),
          "settings": .array(library.settings.keys.sorted().map(JSONValue.string)),
        ]
      })
  }

  private var variables: JSONValue {
    let wanted = ["CARREL_", "XDG_", "LC_", "LANG", "TZ", "HTTP", "NO_PROXY", "SSL_CERT_FILE"]
    return .array(
      doctor.seat.place.environment.keys.sorted()
        .filter { name in wanted.contains { name.hasPrefix($0) } }.map(JSONValue.string))
  }

  private var machine: JSONValue {
    let system = (try? WholeFile.read("/etc/os-release", upTo: 1 << 16))
      .map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }
    let kernel = (try? WholeFile.read("/proc/sys/kernel/osrelease", upTo: 4096))
      .map { String(decoding: $0, as: UTF8.self) }
    var machine: JSONObject = [
      "system": .string(system.map { String($0.dropFirst(12).filter { $0 != "\"" }) } ?? "unknown"),
      "kernel": .string(kernel.map { String($0.prefix { $0 != "\n" }) } ?? "unknown"),
      "processors": .integer(ThisProcess.processorCount),
      "files": .integer(ProcessFigures.fileLimit),
    ]
    for (name, path) in [("data", doctor.data), ("cache", doctor.cache)] {
      guard let disk = try? FileSystem(holding: path) else { continue }
      machine[name] = [
        "kind": .string("\(disk.kind)"), "total_bytes": .integer(Int(clamping: disk.totalBytes)),
        "free_bytes": .integer(Int(clamping: disk.availableBytes)),
      ]
    }
    return .object(machine)
  }

  private func tables(_ house: House) async -> JSONValue {
    let applied = (try? await house.store.appliedMigrations()) ?? []
    return [
      "kind": .string(house.store.dialect.rawValue),
      "migrations": .array(applied.map(JSONValue.string)),
      "readers": figure(try? await house.registry.headcount().readers),
      "accounts": figure(try? await house.registry.headcount().accounts),
      "loans": figure(try? await house.desk.census().loans),
    ]
  }

  private func figure(_ count: Int?) -> JSONValue { count.map(JSONValue.integer) ?? .null }

  private func jobs(_ house: House) async -> JSONValue {
    let tallies = (try? await house.schedule.tallies(of: DueWork.all.map(\.kind))) ?? []
    return .array(
      tallies.map { tally in
        let last = tally.succeededAt.map {
          JSONValue.string(Timestamp(millisecondsSinceEpoch: $0).rfc3339())
        }
        return [
          "kind": .string(tally.kind.rawValue), "failing": .integer(tally.failing),
          "last_success": last ?? .null,
        ]
      })
  }
}

extension LinkedEngine {
  package func supportArchive(
    _ checks: [CheckupItem], at seat: Seat
  ) async -> SupportArchive {
    await SupportArchiveMaking(
      doctor: Doctor(seat: seat), checks: checks, libraries: linkedLibraries
    ).archive()
  }
}
