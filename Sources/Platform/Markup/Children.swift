/// Lets the content of an element be written as a block with `if`, `switch` and `for`.
@resultBuilder package enum Children {
  package static func buildExpression(_ node: Node) -> [Node] { [node] }
  package static func buildExpression(_ node: Node?) -> [Node] { node.map { [$0] } ?? [] }
  package static func buildExpression(_ nodes: [Node]) -> [Node] { nodes }
  package static func buildExpression(_ text: String) -> [Node] { [.text(text)] }
  package static func buildExpression(_ text: String?) -> [Node] { text.map { [.text($0)] } ?? [] }

  package static func buildPartialBlock(first: [Node]) -> [Node] { first }
  package static func buildPartialBlock(accumulated: [Node], next: [Node]) -> [Node] {
    accumulated + next
  }
  package static func buildBlock() -> [Node] { [] }
  package static func buildOptional(_ part: [Node]?) -> [Node] { part ?? [] }
  package static func buildEither(first part: [Node]) -> [Node] { part }
  package static func buildEither(second part: [Node]) -> [Node] { part }
  package static func buildArray(_ parts: [[Node]]) -> [Node] { parts.flatMap(\.self) }
  package static func buildLimitedAvailability(_ part: [Node]) -> [Node] { part }
}
