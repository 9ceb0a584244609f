import Foundation
import HTTP
import HTTPServer
import Synchronization

/// A server on a free port for the length of one test.
struct RunningServer: Sendable {
  let server: Server

  var address: ListenAddress { server.addresses[0] }

  func connect() throws -> RawClient { try RawClient(address) }

  static func run<R>(
    _ handler: Handler, on addresses: [ListenAddress] = [.loopback(port: 0)], loops: Int = 1,
    _ setUp: (inout ServerSettings) -> Void = { _ in },
    _ body: (RunningServer) async throws -> R
  ) async throws -> R {
    var settings = ServerSettings(addresses, loops: loops)
    setUp(&settings)
    let server = Server(settings, handler)
    try server.start()
    do {
      let result = try await body(RunningServer(server: server))
      await server.stop(within: .zero)
      return result
    } catch {
      await server.stop(within: .zero)
      throw error
    }
  }
}

extension Handler {
  /// Says which method and path it was asked for.
  static let echo = Handler.immediate { request in
    .text("\(request.method) /\(request.path.joined(separator: "/")) \(request.body.count)")
  }
}

/// A door that opens once: how a test lets a handler wait without a clock.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiting in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(waiting) }
        return state.isOpen
      }
      if isOpen { waiting.resume() }
    }
  }
}

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("carrel-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) -> String {
    let file = "\(path)/\(name)"
    _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
    return file
  }
}
