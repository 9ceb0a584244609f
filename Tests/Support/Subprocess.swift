import Foundation

/// How a process ended.
package enum ProcessEnd: Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)
}

/// What a process left behind.
package struct FinishedProcess: Sendable {
  package let end: ProcessEnd
  package let output: [UInt8]
  package let errors: [UInt8]

  package var outputText: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// Runs a program to its end, on a thread of its own. Past `limit` it is killed and this throws, so
/// that a test never hangs.
///
/// `environment` is added to that of the tests; a program without a slash is looked up in the path.
package func run(
  _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
  folder: String? = nil, input: [UInt8] = [], within limit: Duration = .seconds(60)
) async throws -> FinishedProcess {
  try await onOwnThread {
    let child = try Child(program, arguments, environment: environment, folder: folder)
    return try child.converse(input, until: .now + limit)
  }
}

/// A process that goes on running beside the test. It is killed when it has no owner any more.
package final class RunningProcess: Sendable {
  private let child: Child

  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    folder: String? = nil
  ) throws {
    child = try Child(program, arguments, environment: environment, folder: folder)
  }

  package var pid: Int32 { child.pid }

  package func write(_ text: String) throws {
    try child.write(Array(text.utf8))
  }

  package func closeInput() { child.closeInput() }

  /// The next line of the output without its end, or nil at the end of the output.
  package func nextLine(within limit: Duration = .seconds(30)) async throws -> String? {
    let line = try await onOwnThread { [child] in
      try child.next(to: UInt8(ascii: "\n"), until: .now + limit)
    }
    return line.map { String(decoding: $0, as: UTF8.self) }
  }

  /// For programs that end what they say with a zero byte: as `nextLine`, and on the thread that asks.
  package func nextMessage(within limit: Duration) throws -> [UInt8]? {
    try child.next(to: 0, until: .now + limit)
  }

  package func send(_ signal: Int32) { child.send(signal) }

  package func sendToMainThread(_ signal: Int32) throws { try child.sendToMainThread(signal) }

  package func waitForEnd(within limit: Duration = .seconds(30)) async throws -> ProcessEnd {
    try await onOwnThread { [child] in try child.waitForEnd(until: .now + limit) }
  }

  /// What it wrote to standard error so far.
  package func errorText() -> String { String(decoding: child.errorsSoFar(), as: UTF8.self) }
}

/// Blocking work must not occupy one of the few threads that all tests share.
private func onOwnThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
