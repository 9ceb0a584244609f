import Arguments
import Console
import Machine
import Synchronization
import TextSafety

/// What `--debug` writes down: enough to follow a fault, and nothing that a reader would mind
/// sending. Variables are named, never shown.
final class Trace: Sendable {
  private let lines: Mutex<[String]>
  private let isWanted: Bool

  init(_ words: [String], _ surroundings: Surroundings) {
    isWanted = words.prefix { $0 != "--" }.contains("--debug")
    let variables = surroundings.environment.keys.filter { name in
      name.hasPrefix("CARREL_") || name.hasPrefix("XDG_") || name.hasPrefix("LC_")
    }
    lines = Mutex([
      "carrel \(Release.number), commit \(Release.current.commit ?? "unknown")",
      TerminalText(line: "words: \(words.joined(separator: " "))").text,
      "variables: " + variables.sorted().joined(separator: " "),
      "terminals: input \(surroundings.inputIsTerminal), output \(surroundings.outputIsTerminal), "
        + "error \(surroundings.errorIsTerminal)",
    ])
    note("started")
  }

  func note(_ sentence: TerminalText) {
    guard isWanted else { return }
    lines.withLock { $0.append("\(Time.system.now().rfc3339()) \(sentence)") }
  }

  /// Writes the file and returns its name; nil when nobody asked for it.
  func finish(in places: Places?, _ surroundings: Surroundings) -> String? {
    guard isWanted else { return nil }
    note("finished")
    let text = lines.withLock { $0.joined(separator: "\n") } + "\n"
    let stamp = Time.system.now().rfc3339().map { $0 == ":" ? "-" : String($0) }.joined()
    let name = "trace-\(stamp)-\(Process.id).log"
    let folders = [places.map { $0.state + "/traces" }, surroundings["TMPDIR"], "/tmp"]
    for folder in folders.compactMap(\.self) {
      do {
        try Files.makeFolder(folder)
        try WholeFile.write(Array(text.utf8), to: "\(folder)/\(name)")
        return "\(folder)/\(name)"
      } catch {
        // The next folder may be writable; a trace is worth a second and a third attempt.
        continue
      }
    }
    return nil
  }
}
