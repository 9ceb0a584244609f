import Foundation

/// A private folder that is gone when its last owner is. Keep it in a property of the suite or use
/// `withTemporaryFolder`: a local variable may be released before the end of its scope.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("\(NSTemporaryDirectory())/carrel-test-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw TestSupportError("mkdtemp failed") }
    path = unsafe String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws -> String {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
    let wasWritten = FileManager.default.createFile(
      atPath: path(name), contents: Data(bytes), attributes: attributes)
    guard wasWritten else { throw TestSupportError("cannot write \(name)") }
    return path(name)
  }

  package func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}

package func withTemporaryFolder<R>(_ body: (TemporaryFolder) async throws -> R) async throws -> R {
  let folder = try TemporaryFolder()
  let result = try await body(folder)
  return withExtendedLifetime(folder) { result }
}

/// Why a test could not be set up; the words are for the person who runs the tests.
package struct TestSupportError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
