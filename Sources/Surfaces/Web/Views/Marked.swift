import Markup
import Phrasebook

/// A sentence with elements of the page in it, which stand where the tongue wants them.
func marked(_ sentence: Sentence<[Node]>) -> [Node] {
  sentence.pieces.flatMap { piece in
    switch piece {
    case .words(let words): [Node.text(words)]
    case .hole(let nodes): nodes
    }
  }
}

extension Sentence.StringInterpolation where Hole == [Node] {
  mutating func appendInterpolation(_ node: Node) { appendInterpolation([node]) }
}
