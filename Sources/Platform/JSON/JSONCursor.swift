/// A place in a document that remembers how it was reached, so that a wire shape which is not as
/// promised is reported as `$.items[3].title: expected a string, found null`.
package struct JSONCursor: Sendable {
  private indirect enum Path: Sendable {
    case root
    case member(Path, String)
    case element(Path, Int)
  }

  /// Nil where the document has nothing at this place.
  package let value: JSONValue?
  private let path: Path

  package init(_ value: JSONValue) { (self.value, path) = (value, .root) }

  private init(_ value: JSONValue?, _ path: Path) { (self.value, self.path) = (value, path) }

  package subscript(_ name: String) -> JSONCursor {
    JSONCursor(value?[name], .member(path, name))
  }

  package subscript(_ index: Int) -> JSONCursor {
    JSONCursor(value?[index], .element(path, index))
  }

  /// Nil where the value is absent or null: `try cursor["subtitle"].ifPresent?.string()`.
  package var ifPresent: JSONCursor? { value == nil || value == .null ? nil : self }

  package func string() throws(JSONMismatch) -> String { try want("a string", value?.string) }
  package func bool() throws(JSONMismatch) -> Bool { try want("true or false", value?.bool) }
  package func double() throws(JSONMismatch) -> Double { try want("a number", value?.double) }

  package func integer() throws(JSONMismatch) -> Int {
    try want("a whole number", value?.integer)
  }

  package func object() throws(JSONMismatch) -> JSONObject { try want("an object", value?.object) }

  package func elements() throws(JSONMismatch) -> [JSONCursor] {
    let elements = try want("an array", value?.array)
    return elements.enumerated().map { JSONCursor($0.element, .element(path, $0.offset)) }
  }

  /// Identifiers come as strings from some providers and as numbers from others.
  package func identifier() throws(JSONMismatch) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .decimal(let number): number.literal
    default: throw mismatch("a string or a number")
    }
  }

  package func mismatch(_ expected: String) -> JSONMismatch {
    JSONMismatch(path: Self.spelled(path), expected: expected, found: value?.kind ?? "nothing")
  }

  private func want<Wanted>(_ expected: String, _ found: Wanted?) throws(JSONMismatch) -> Wanted {
    guard let found else { throw mismatch(expected) }
    return found
  }

  private static func spelled(_ path: Path) -> String {
    switch path {
    case .root: "$"
    case .member(let parent, let name): spelled(parent) + "." + name
    case .element(let parent, let index): spelled(parent) + "[\(index)]"
    }
  }
}

/// Valid JSON of another shape than promised. It names kinds, never contents: those may be private.
package struct JSONMismatch: Error, Sendable, Hashable, CustomStringConvertible {
  package let path: String
  package let expected: String
  package let found: String

  package var description: String { "\(path): expected \(expected), found \(found)" }
}
