import Foundation
package import TestSupport
package import Testing

/// A real terminal with a program in it, played by tmux.
package final class Terminal: Sendable {
  private let folder: TemporaryFolder
  private let socket: String

  package init(
    _ columns: Int, _ rows: Int, in folder: TemporaryFolder, _ words: [String]
  ) async throws {
    self.folder = folder
    socket = folder.path("tmux")
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    // The shell stays, so that what the program leaves behind can be looked at.
    let play = "\(line)\necho left with $?\nstty -a\nexec cat\n"
    try folder.write(Array(play.utf8), to: "play")
    try await tmux(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "exec /bin/sh '\(folder.path("play"))'")
  }

  @discardableResult
  private func tmux(_ words: String...) async throws -> String {
    let finished = try await run(
      "tmux", ["-f", "/dev/null", "-S", socket] + words,
      environment: ["TERM": "xterm-256color", "NO_COLOR": "", "LC_ALL": "C.UTF-8"],
      within: .seconds(20))
    guard finished.end == .exited(0) else { throw TestSupportError(finished.errorText) }
    return finished.outputText
  }

  package func screen() async throws -> String { try await tmux("capture-pane", "-p") }

  /// What stands in the title bar, which a program can set.
  package func title() async throws -> String {
    try await tmux("display-message", "-p", "#{pane_title}")
  }

  /// With the colors.
  package func painted() async throws -> String { try await tmux("capture-pane", "-p", "-e") }

  package func press(_ keys: String...) async throws {
    for key in keys { try await tmux("send-keys", key) }
  }

  package func type(_ text: String) async throws { try await tmux("send-keys", "-l", text) }

  package func resize(_ columns: Int, _ rows: Int) async throws {
    try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What is on the screen once it shows this.
  @discardableResult
  package func shows(
    _ what: String, at place: SourceLocation = #_sourceLocation
  ) async throws -> String {
    try await awaits(what, at: place) { $0.contains(what) }
  }

  @discardableResult
  package func awaits(
    _ what: String, at place: SourceLocation = #_sourceLocation, _ holds: (String) -> Bool
  ) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(20)
    var last = ""
    while ContinuousClock.now < deadline {
      last = try await screen()
      if holds(last) { return last }
    }
    Issue.record("waited for \(what) and saw:\n\(last)", sourceLocation: place)
    return last
  }

  package func signal(_ name: String) async throws {
    let shell = try await tmux("display-message", "-p", "#{pane_pid}")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    _ = try await run("pkill", ["-\(name)", "-P", shell], within: .seconds(5))
  }

  package func close() async throws { try await tmux("kill-server") }
}
