/// The routes by the shape of their paths, so that finding one takes as many steps as the path
/// has segments, however many routes there are.
struct RouteTree: Sendable {
  private struct Node: Sendable {
    var literals: [String: Int] = [:]
    var parameter: Int?
    var rest: [Int] = []
    var routes: [Int] = []
  }

  private var nodes = [Node()]

  mutating func insert(_ route: Int, at segments: [PathSegment]) {
    var node = 0
    for segment in segments {
      switch segment {
      case .literal(let text):
        if let next = nodes[node].literals[text] {
          node = next
        } else {
          nodes[node].literals[text] = nodes.count
          node = nodes.count
          nodes.append(Node())
        }
      case .parameter:
        if let next = nodes[node].parameter {
          node = next
        } else {
          nodes[node].parameter = nodes.count
          node = nodes.count
          nodes.append(Node())
        }
      case .rest:
        nodes[node].rest.append(route)
        return
      }
    }
    nodes[node].routes.append(route)
  }

  /// Every route of that shape, the most exact first: a literal before a hole, a hole before a
  /// rest, the left of the path before the right.
  func routes(for path: [String]) -> [Int] {
    var found: [Int] = []
    collect(path[...], at: 0, into: &found)
    return found
  }

  private func collect(_ path: ArraySlice<String>, at index: Int, into found: inout [Int]) {
    let node = nodes[index]
    guard let first = path.first else {
      found += node.routes
      return
    }
    if let next = node.literals[first] { collect(path.dropFirst(), at: next, into: &found) }
    if let next = node.parameter { collect(path.dropFirst(), at: next, into: &found) }
    found += node.rest
  }
}
