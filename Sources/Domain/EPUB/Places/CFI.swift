/// A place in a book, or a range of it, told step by step from the package on (EPUB CFI 1.1).
/// Elements have even numbers and texts odd ones, whether they are there or not.
package struct CFI: Sendable, Hashable {
  /// What stands in brackets: the id that an element has, or the text around a place.
  package struct Assertion: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
      package let name: String
      package let values: [String]
    }

    /// The id, or the text before the place.
    package var before: String?
    /// The text behind it.
    package var after: String?
    package var parameters: [Parameter] = []

    package init(before: String? = nil, after: String? = nil, parameters: [Parameter] = []) {
      (self.before, self.after, self.parameters) = (before, after, parameters)
    }

    /// Which side of a page's end the place belongs to.
    package static func side(_ value: String) -> Parameter { Parameter(name: "s", values: [value]) }
  }

  package enum Part: Sendable, Hashable {
    case step(Int, Assertion?)
    /// From a reference into the document it names.
    case indirection
  }

  /// Where in what the steps lead to.
  package struct Offset: Sendable, Hashable {
    /// Units of UTF-16 before the place.
    package var characters: Int?
    package var seconds: Double?
    /// In hundredths of the width and the height.
    package var point: Point?
    package var assertion: Assertion?

    package init(characters: Int? = nil, seconds: Double? = nil, point: Point? = nil) {
      (self.characters, self.seconds, self.point) = (characters, seconds, point)
    }
  }

  package struct Point: Sendable, Hashable {
    package let x: Double
    package let y: Double
    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  }

  package struct Path: Sendable, Hashable {
    package var parts: [Part]
    package var offset: Offset?

    package init(_ parts: [Part] = [], offset: Offset? = nil) {
      (self.parts, self.offset) = (parts, offset)
    }

    static func + (one: Path, two: Path) -> Path {
      Path(one.parts + two.parts, offset: two.offset ?? one.offset)
    }
  }

  /// All of a place; of a range what both ends have in common.
  package var path: Path
  /// The ends of a range, from `path` on.
  package var ends: Ends?

  package struct Ends: Sendable, Hashable {
    package var start: Path
    package var end: Path
    package init(start: Path, end: Path) { (self.start, self.end) = (start, end) }
  }

  package init(_ path: Path, ends: Ends? = nil) { (self.path, self.ends) = (path, ends) }

  /// The place itself, or where the range begins.
  package var start: Path { ends.map { path + $0.start } ?? path }
  package var end: Path { ends.map { path + $0.end } ?? path }
}

extension CFI: CustomStringConvertible {
  package var description: String { "epubcfi(\(steps))" }

  /// Without the frame, as programs that name the document beside it write it.
  package var steps: String {
    guard let ends else { return path.description }
    return "\(path),\(ends.start),\(ends.end)"
  }
}

extension CFI.Path: CustomStringConvertible {
  package var description: String {
    var text = ""
    for part in parts {
      switch part {
      case .indirection: text += "!"
      case .step(let number, let assertion): text += "/\(number)" + (assertion?.text ?? "")
      }
    }
    guard let offset else { return text }
    if let characters = offset.characters { text += ":\(characters)" }
    if let seconds = offset.seconds { text += "~" + CFI.text(seconds) }
    if let point = offset.point { text += "@\(CFI.text(point.x)):\(CFI.text(point.y))" }
    return text + (offset.assertion?.text ?? "")
  }
}

extension CFI {
  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension CFI.Assertion {
  var text: String {
    var text = Self.escaped(before ?? "")
    if let after { text += "," + Self.escaped(after) }
    for parameter in parameters {
      text += ";\(Self.escaped(parameter.name))="
      text += parameter.values.map(Self.escaped).joined(separator: ",")
    }
    return text.isEmpty ? "" : "[\(text)]"
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      if "^[](),;=".unicodeScalars.contains(scalar) { out += "^" }
      out.unicodeScalars.append(scalar)
    }
    return out
  }
}
