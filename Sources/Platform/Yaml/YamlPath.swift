/// The way from the top of a document to one value, as people write it: `lanes[2].name`.
package struct YamlPath: Sendable, Hashable, CustomStringConvertible {
  package enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  package private(set) var steps: [Step] = []

  package init() {}

  package func appending(_ step: Step) -> YamlPath {
    var path = self
    path.steps.append(step)
    return path
  }

  package var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        let isWord = key.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
        let name = isWord && !key.isEmpty && key.utf8.count <= 60 ? key : shown(key)
        text += text.isEmpty ? name : ".\(name)"
      }
    }
  }
}
