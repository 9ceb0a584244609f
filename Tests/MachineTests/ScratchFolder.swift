import Foundation

/// A folder of one test's own, gone with it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/machine-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}
