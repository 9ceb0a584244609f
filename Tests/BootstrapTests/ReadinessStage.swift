import Circulation
import Foundation
import Log
import Machine
import ProviderKit
import Registry
import Secrets
import Setup
import Synchronization
import TestSupport

@testable import Bootstrap

/// A gateway's folder and database, opened and closed as often as a test likes.
struct ReadinessStage: Sendable {
  let folder: TestSupport.TemporaryFolder
  let calendar: Calendar
  let database: String
  private let settings: [String: String]

  private init(
    folder: TestSupport.TemporaryFolder, database: String, settings: [String: String]
  ) {
    (self.folder, self.database, self.settings) = (folder, database, settings)
    calendar = Calendar(at: Machine.Time.system.now())
  }

  /// Without a card, on a database that the test brings along.
  init(folder: TestSupport.TemporaryFolder, on database: String) {
    self.init(folder: folder, database: database, settings: [:])
  }

  /// With `secrets` a card is linked before, so that the gateway needs its vault.
  static func play(
    _ engine: TestSupport.Engine, secrets: Bool = true, settings: [String: String] = [:],
    _ body: (ReadinessStage) async throws -> Void
  ) async throws {
    try await engine.withAddress { address in
      try await withTemporaryFolder { folder in
        let stage = ReadinessStage(folder: folder, database: address, settings: settings)
        if secrets { try await stage.open { house in try await stage.link(house) } }
        try await body(stage)
      }
    }
  }

  var keyFile: String { folder.path("data/vault.key") }

  func seat() throws -> Seat {
    var flags = settings
    flags["database.url"] = database.hasPrefix("postgres") ? database : "sqlite:\(database)"
    let configuration = try Configuration(
      from: ConfigurationSources(
        flags: flags.sorted { $0.key < $1.key }.map {
          ConfigurationSources.FlagValue("--set", sets: $0.key, to: $0.value)
        }))
    let place = GatewayPlace(
      data: folder.path("data"), state: folder.path("state"), cache: folder.path("cache"),
      environment: [:], processID: 1)
    return Seat(configuration: configuration, place: place, patron: nil, passphrase: { nil })
  }

  func open<R>(
    trial: HouseTrial = HouseTrial(), monotonic: Machine.Time = .system,
    _ body: (House) async throws -> R
  ) async throws -> R {
    let time = Machine.Time(
      now: { calendar.now }, monotonic: monotonic.monotonic, sleepUntil: monotonic.sleepUntil)
    let house = try await House(try seat(), time: time, trial: trial)
    let result: Result<R, any Error>
    do { result = .success(try await body(house)) } catch { result = .failure(error) }
    await house.close()
    return try result.get()
  }

  private func link(_ house: House) async throws {
    let patron = try await house.registry.patron(named: "ada").id
    _ = try await house.registry.link(
      patron: patron, name: .exactly("card"), provider: ProviderID("overdrive"),
      library: LibraryID("city"),
      credentials: Credentials(["card": Secret("23000000000001"), "pin": Secret("1111")]),
      pinVerified: true, request: "test")
  }

  func writeKey(_ byte: UInt8) throws {
    try folder.write([UInt8](repeating: byte, count: 32), to: "data/vault.key")
  }
}

/// Keeps the lines of a log.
final class KeptLog: Sendable {
  private let written = Mutex<[String]>([])

  var lines: [String] { written.withLock { $0 } }

  var logger: Logger {
    Logger(
      to: Log(
        level: .info, format: .logfmt, inJournal: false, time: { "now" },
        sink: { bytes in
          self.written.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }))
  }
}

/// A disk of a megabyte that the test may fill. Only root may mount one.
struct SmallDisk {
  let path: String

  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TestSupport.TemporaryFolder() else { return false }
    let mounted = Self.call("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder.path])
    if mounted { _ = Self.call("umount", [folder.path]) }
    return mounted
  }()

  static func with<R>(
    kilobytes: Int, _ body: (SmallDisk) async throws -> R
  ) async throws -> R {
    let folder = try TestSupport.TemporaryFolder()
    guard
      call("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=0777", "none", folder.path])
    else { throw TestSupportError("no disk can be mounted") }
    defer { _ = call("umount", ["-l", folder.path]) }
    return try await body(SmallDisk(path: folder.path))
  }

  /// Nothing more can be written to it.
  func fill() throws {
    let path = "\(path)/filler"
    FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    for size in [4096, 1] {
      let piece = Data(repeating: 1, count: size)
      while (try? file.write(contentsOf: piece)) != nil {}
    }
    try file.close()
  }

  func empty() throws { try FileManager.default.removeItem(atPath: "\(path)/filler") }

  private static func call(_ program: String, _ words: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + words
    process.standardError = nil
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
