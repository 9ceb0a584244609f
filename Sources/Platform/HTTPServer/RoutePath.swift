import HTTP

/// One step of a route's shape.
enum PathSegment: Sendable, Hashable {
  case literal(String)
  case parameter(String)
  /// Everything that is left; always last.
  case rest(String)

  var pattern: String {
    switch self {
    case .literal(let text): PercentCoding.encode(segment: text)
    case .parameter(let name): "{\(name)}"
    case .rest(let name): "{\(name)...}"
    }
  }
}

/// Where every route path begins.
package enum Path {
  package static let root = RoutePath<Void>(
    segments: [], read: { _ in () }, write: { _ in [] })
}

/// The shape of a path with typed holes in it. It reads requests and prints links, so that a link
/// can never name a path that no route answers. One hole gives its value, several a tuple.
///
///     let work = Path.root / "works" / .text("id")    // RoutePath<String>
///     work.print("bk:12")                             // "/works/bk:12"
package struct RoutePath<Value: Sendable>: Sendable {
  let segments: [PathSegment]
  fileprivate let read: @Sendable (inout PathCursor) -> Value?
  /// The texts for the holes, in order.
  fileprivate let write: @Sendable (Value) -> [[String]]

  /// `/works/{id}`: for tables, logs and metrics.
  package var pattern: String {
    segments.isEmpty ? "/" : segments.map { "/" + $0.pattern }.joined()
  }

  /// The path with this value, percent-coded, without base path.
  package func print(_ value: Value) -> String {
    var holes = write(value).makeIterator()
    let parts = segments.flatMap { segment in
      if case .literal(let text) = segment { [text] } else { holes.next() ?? [] }
    }
    return parts.isEmpty ? "/" : parts.map { "/" + PercentCoding.encode(segment: $0) }.joined()
  }

  /// The value in a path of this shape; nil when it is none, or the value does not parse.
  package func match(_ path: [String]) -> Value? {
    var cursor = PathCursor(shape: segments, path: path)
    guard let value = read(&cursor), cursor.isAtEnd() else { return nil }
    return value
  }

  package static func / (path: RoutePath, literal: String) -> RoutePath {
    RoutePath(
      segments: path.segments + [.literal(literal)], read: path.read, write: path.write)
  }

  fileprivate func followed<Next, Both>(
    by next: PathParameter<Next>, joined: @escaping @Sendable (Value, Next) -> Both,
    parted: @escaping @Sendable (Both) -> (Value, Next)
  ) -> RoutePath<Both> {
    let (read, write) = (read, write)
    return RoutePath<Both>(
      segments: segments + [next.takesRest ? .rest(next.name) : .parameter(next.name)],
      read: { cursor in
        guard let value = read(&cursor), let last = cursor.next(next) else { return nil }
        return joined(value, last)
      },
      write: { both in
        let (value, last) = parted(both)
        return write(value) + [next.print(last)]
      })
  }
}

extension RoutePath where Value == Void {
  package func print() -> String { print(()) }
}

package func / <Next>(
  path: RoutePath<Void>, parameter: PathParameter<Next>
) -> RoutePath<Next> {
  path.followed(by: parameter, joined: { $1 }, parted: { ((), $0) })
}

package func / <First, Next>(
  path: RoutePath<First>, parameter: PathParameter<Next>
) -> RoutePath<(First, Next)> {
  path.followed(by: parameter, joined: { ($0, $1) }, parted: { ($0.0, $0.1) })
}

package func / <First, Second, Next>(
  path: RoutePath<(First, Second)>, parameter: PathParameter<Next>
) -> RoutePath<(First, Second, Next)> {
  path.followed(
    by: parameter, joined: { ($0.0, $0.1, $1) }, parted: { (($0.0, $0.1), $0.2) })
}

package func / <First, Second, Third, Next>(
  path: RoutePath<(First, Second, Third)>, parameter: PathParameter<Next>
) -> RoutePath<(First, Second, Third, Next)> {
  path.followed(
    by: parameter, joined: { ($0.0, $0.1, $0.2, $1) }, parted: { (($0.0, $0.1, $0.2), $0.3) })
}

/// Walks over a path along its shape, stopping at each hole.
struct PathCursor {
  private let shape: [PathSegment]
  private let path: [String]
  private var step = 0
  private var position = 0

  init(shape: [PathSegment], path: [String]) { (self.shape, self.path) = (shape, path) }

  mutating func next<Value>(_ parameter: PathParameter<Value>) -> Value? {
    guard skipLiterals() else { return nil }
    let end = parameter.takesRest ? path.count : position + 1
    guard end <= path.count, let value = parameter.parse(path[position..<end]) else { return nil }
    (step, position) = (step + 1, end)
    return value
  }

  mutating func isAtEnd() -> Bool {
    skipLiterals() && step == shape.count && position == path.count
  }

  private mutating func skipLiterals() -> Bool {
    while step < shape.count, case .literal(let text) = shape[step] {
      guard position < path.count, path[position] == text else { return false }
      (step, position) = (step + 1, position + 1)
    }
    return true
  }
}
