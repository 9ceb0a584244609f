import Foundation

/// The phrases of the sources, as the catalogues are asked for them.
struct SaidPhrases {
  /// Each with the file it was found in first.
  private(set) var keys: [String: String] = [:]

  init(under root: URL) throws {
    for top in ["Sources"] {
      let walk = FileManager.default.enumerator(
        at: root.appendingPathComponent(top), includingPropertiesForKeys: nil)
      while let url = walk?.nextObject() as? URL {
        guard url.pathExtension == "swift", !url.path.contains("/Phrasebook/") else { continue }
        let text = try String(contentsOf: url, encoding: .utf8)
        guard text.contains("import Phrasebook") else { continue }
        take(Source(text), url.lastPathComponent)
      }
    }
  }

  init(_ text: String) { take(Source(text), "") }

  private mutating func take(_ source: Source, _ file: String) {
    let literals = source.literals
    for (place, literal) in literals.enumerated() {
      let before = source.before(literal)
      if let call = ["said(", "marked(", "phrase("].first(where: { before.hasSuffix($0) }) {
        let meaning = call == "said(" ? source.meaning(behind: literal) : nil
        keys[literal.key + (meaning.map { " @\($0)" } ?? ""), default: file] = file
      } else if ["(one:", " one:", "\none:"].contains(where: before.hasSuffix),
        place + 1 < literals.count
      {
        keys["\(literal.key) | \(literals[place + 1].key)", default: file] = file
      }
      for hole in literal.holes { take(Source(hole), file) }
    }
  }
}

/// Swift as far as its string literals go.
private struct Source {
  struct Literal {
    let start: Int
    let end: Int
    let key: String
    let holes: [String]
  }

  private let text: [Character]
  private(set) var literals: [Literal] = []

  init(_ string: String) {
    text = Array(string)
    var place = 0
    while place < text.count {
      if starts("//", at: place) {
        place = text[place...].firstIndex(of: "\n") ?? text.count
      } else if starts("#\"", at: place) {
        let isLong = starts("#\"\"\"", at: place)
        place = end(of: isLong ? "\"\"\"#" : "\"#", from: place + (isLong ? 4 : 2))
      } else if text[place] == "\"" {
        let literal = read(at: place)
        literals.append(literal)
        place = literal.end
      } else {
        place += 1
      }
    }
  }

  /// What stands in front, without blanks.
  func before(_ literal: Literal) -> String {
    var end = literal.start
    while end > 0, text[end - 1].isWhitespace { end -= 1 }
    return String(text[max(0, end - 12)..<end])
  }

  /// What tells two meanings apart.
  func meaning(behind literal: Literal) -> String? {
    var place = literal.end
    guard place < text.count, text[place] == "," else { return nil }
    place += 1
    while place < text.count, text[place].isWhitespace { place += 1 }
    guard place < text.count, text[place] == "\"" else { return nil }
    return read(at: place).key
  }

  private func starts(_ mark: String, at place: Int) -> Bool {
    text[place...].starts(with: mark)
  }

  private func end(of mark: String, from start: Int) -> Int {
    var place = start
    while place < text.count, !starts(mark, at: place) { place += 1 }
    return place + mark.count
  }

  private func read(at start: Int) -> Literal {
    let isLong = starts("\"\"\"", at: start)
    let mark = isLong ? "\"\"\"" : "\""
    var (place, key, holes) = (start + mark.count, "", [String]())
    while place < text.count, !starts(mark, at: place) {
      if starts("\\(", at: place) {
        var (depth, inner) = (1, place + 2)
        while depth > 0, inner < text.count {
          switch text[inner] {
          case "\"": inner = read(at: inner).end - 1
          case "(": depth += 1
          case ")": depth -= 1
          default: break
          }
          inner += 1
        }
        key += "{\(holes.count)}"
        holes.append(String(text[(place + 2)..<(inner - 1)]))
        place = inner
      } else if text[place] == "\\" {
        let next = text[place + 1]
        if next == "u" {
          let close = text[place...].firstIndex(of: "}") ?? place
          let digits = String(text[(place + 3)..<close])
          key.unicodeScalars +=
            UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
            .map { [$0] } ?? []
          place = close + 1
        } else {
          if next != "\n" { key.append(next) } else { key += "\u{0}" }
          place += 2
        }
      } else {
        key.append(text[place])
        place += 1
      }
    }
    return Literal(
      start: start, end: place + mark.count, key: isLong ? Self.joined(key) : key, holes: holes)
  }

  /// Lines without what they are indented by; those that end with a backslash go on.
  private static func joined(_ text: String) -> String {
    let goesOn = "\u{0}"
    let lines = text.replacing(goesOn, with: goesOn + "\n").split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropFirst()
    let indent = lines.last?.count ?? 0
    return lines.dropLast().map { $0.dropFirst(indent) }.joined(separator: "\n")
      .replacing(goesOn + "\n", with: "")
  }
}
