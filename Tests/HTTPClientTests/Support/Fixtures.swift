import Foundation
import HTTP
import HTTPClient

extension Client {
  /// A client that may talk to the test servers on loopback.
  static func local(
    _ change: (inout ClientConfiguration) -> Void = { _ in }
  ) throws -> Client {
    var configuration = ClientConfiguration()
    configuration.gate = AddressGate(allowing: [.init("127.0.0.1")].compactMap(\.self))
    configuration.timeout = .seconds(60)
    change(&configuration)
    return try Client(configuration)
  }
}

extension Request {
  static func get(_ text: String) throws -> Request { Request(.get, try Address(text)) }
}

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("carrel-client-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }

  func read(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map { Array($0) }
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// The failure of something that must fail.
func failure<T>(
  of work: () async throws(TransportError) -> T
) async -> TransportError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error
  }
}
