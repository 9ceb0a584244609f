import Foundation
import JourneySupport
import TestSupport

/// A page of the documents as a script: what it tells people to type is typed, in order, by one shell.
///
/// Fences of `sh` are run. A comment in front of a fence says more: `<!-- file: PATH -->` writes what
/// stands in it, `<!-- until: WORDS -->` leaves its one command running and waits for the words, and
/// `<!-- elsewhere: WHY -->` leaves it out, naming the file of this project in which it is run.
/// `<!-- stage: cards -->` anywhere gives the page a reader with a linked card, and `<!-- stage: machine -->`
/// an empty Debian on which root may do as it likes.
struct DocPage {
  enum Step: Equatable {
    case run(String)
    case left(String, until: String)
    case file(String, at: String)
    case elsewhere(String, why: String)
  }

  let steps: [Step]
  let stage: Stage

  enum Stage: String { case none, cards, machine }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// All pages in which something may be typed, by their paths in the project.
  static let all: [String] = ["README.md"] + whole.filter { !$0.hasPrefix("docs/reference/") }

  /// All pages of the documents, also those that the program writes.
  static let whole: [String] = {
    let docs = root.appending(path: "docs").path()
    let found = FileManager.default.enumerator(atPath: docs)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  init(_ path: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    var steps: [Step] = []
    var order: (word: String, value: String)?
    var fence: (language: Substring, lines: [Substring])?
    stage =
      text.firstMatch(of: /<!-- stage: ([a-z]+) -->/).flatMap { Stage(rawValue: String($0.1)) }
      ?? .none
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isFence = line.hasPrefix("```")
      if let open = fence, !isFence {
        fence = (open.language, open.lines + [line])
      } else if let open = fence {
        let body = open.lines.joined(separator: "\n")
        switch (order?.word, open.language) {
        case ("file", _): steps.append(.file(body, at: order?.value ?? ""))
        case ("elsewhere", _): steps.append(.elsewhere(body, why: order?.value ?? ""))
        case ("until", "sh"): steps.append(.left(body, until: order?.value ?? ""))
        case (_, "sh"): steps.append(.run(body))
        default: break
        }
        (fence, order) = (nil, nil)
      } else if isFence {
        fence = (line.dropFirst(3), [])
      } else if let told = line.wholeMatch(of: /<!-- (file|until|elsewhere): (.+) -->/) {
        order = (String(told.1), String(told.2))
      } else if !line.isEmpty {
        order = nil
      }
    }
    self.steps = steps
  }

  /// What a shell is given. Each step is announced, so that a failure names its own.
  var script: String {
    var text = """
      set -eu
      left=
      trap 'kill $left 2>/dev/null || :; wait' EXIT

      """
    for (number, step) in steps.enumerated() {
      switch step {
      case .run(let lines): text += "echo 'step \(number)' >&2\n\(lines)\n"
      case .left(let line, let words):
        text += """
          echo 'step \(number)' >&2
          : >left\(number)
          \(line) >left\(number) 2>&1 &
          left="$left $!"
          until grep -q -F '\(words)' left\(number); do
            kill -0 $! || { cat left\(number) >&2; exit 1; }
            sleep 0.1
          done

          """
      case .file(let body, let path):
        text += """
          mkdir -p "$(dirname \(path))"
          cat >\(path) <<'END OF THE FILE'
          \(body)
          END OF THE FILE

          """
      case .elsewhere: break
      }
    }
    return text
  }
}
