import Foundation
package import JSON
import Synchronization
import TestSupport

/// Chromium without a window, spoken to by its own protocol over two pipes: no port that another test
/// could take, and it ends with whoever started it.
package final class Browser: Sendable {
  private struct State {
    var asked = 0
    var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    var listeners: [String: @Sendable (String, JSONValue) -> Void] = [:]
    var isOver = false
  }

  private let process: RunningProcess
  private let folder: TemporaryFolder
  private let state = Mutex(State())

  private init() throws {
    folder = try TemporaryFolder()
    // The shell moves its own ends to the numbers that the browser wants them at.
    let start =
      "exec chromium-headless-shell \"$@\" 3<&0 4>&1 </dev/null >/dev/null"
    process = try RunningProcess(
      "sh",
      [
        "-c", start, "sh", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--no-first-run",
        "--ignore-certificate-errors", "--force-color-profile=srgb", "--font-render-hinting=none",
        "--autoplay-policy=no-user-gesture-required",
        "--user-data-dir=\(folder.path)", "about:blank",
      ])
  }

  /// A browser for as long as `body` runs.
  package static func use<R: Sendable>(
    _ body: (Browser) async throws -> R
  ) async throws -> R {
    let browser = try Browser()
    browser.listen()
    do {
      let result = try await body(browser)
      try await browser.end()
      return result
    } catch {
      try? await browser.end()
      throw error
    }
  }

  private func end() async throws {
    process.send(SIGKILL)
    _ = try await process.waitForEnd()
  }

  // MARK: - Conversation

  /// Asks, and waits for the answer: the result, or the browser's own words for why not.
  @discardableResult
  package func ask(
    _ method: String, _ parameters: JSONObject = [:], in session: String? = nil
  ) async throws -> JSONValue {
    try await withCheckedThrowingContinuation { continuation in
      let message: JSONValue? = state.withLock { state in
        guard !state.isOver else { return nil }
        state.asked += 1
        state.waiting[state.asked] = continuation
        var message: JSONObject = [
          "id": .integer(state.asked), "method": .string(method), "params": .object(parameters),
        ]
        if let session { message["sessionId"] = .string(session) }
        return .object(message)
      }
      guard let message else {
        continuation.resume(throwing: TestSupportError("the browser has ended"))
        return
      }
      do { try process.write(message.text() + "\0") } catch { hangUp("\(error)") }
    }
  }

  /// What the browser tells of a page without being asked.
  func hear(_ session: String, _ listener: (@Sendable (String, JSONValue) -> Void)?) {
    state.withLock { $0.listeners[session] = listener }
  }

  private func listen() {
    Thread.detachNewThread { [self] in
      do {
        while let bytes = try process.nextMessage(within: .seconds(120)) {
          take(try JSONValue(parsing: bytes))
        }
        hangUp("the browser has ended: \(process.errorText().suffix(500))")
      } catch {
        hangUp("\(error)")
      }
    }
  }

  private func take(_ message: JSONValue) {
    if let id = message["id"]?.integer {
      guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
      if let error = message["error"] {
        waiting.resume(throwing: TestSupportError("the browser says: \(error.text())"))
      } else {
        waiting.resume(returning: message["result"] ?? .null)
      }
    } else if let session = message["sessionId"]?.string, let method = message["method"]?.string {
      let listener = state.withLock { $0.listeners[session] }
      listener?(method, message["params"] ?? .null)
    }
  }

  private func hangUp(_ why: String) {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isOver = true
      return state.waiting
    }
    for one in waiting.values { one.resume(throwing: TestSupportError(why)) }
  }
}
