import BuiltIn

/// What one tongue says for each English sentence: a text file, built in. A line of English, the same
/// below it in the other tongue, and a blank line. `{0}` stands for what is put in; a translation may
/// put it elsewhere. Forms for one and for many stand apart by ` | `. Behind ` @` stands what tells two
/// meanings of an English word apart.
package struct Catalogue: Sendable {
  /// The parts of a translation: words, and holes by their number.
  package enum Part: Sendable, Hashable {
    case words(String)
    case hole(Int)
  }

  /// Forms of one sentence: a single one where nothing is counted.
  package typealias Forms = [[Part]]

  package let entries: [String: Forms]

  /// Nil for English, which needs none.
  package static func of(_ tongue: Tongue) -> Catalogue? {
    switch tongue {
    case .english: nil
    case .german: german
    case .spanish: spanish
    }
  }

  private static let german = Catalogue(BuiltIn.germanPhrases)
  private static let spanish = Catalogue(BuiltIn.spanishPhrases)

  package init(_ text: String) {
    var entries: [String: Forms] = [:]
    var key: Substring?
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let known = key else {
        key = line
        continue
      }
      entries[String(known)] = Self.forms(line)
      key = nil
    }
    self.entries = entries
  }

  static let between = " | "

  private static func forms(_ line: Substring) -> Forms {
    var forms: Forms = []
    var rest = line
    while let cut = rest.firstRange(of: between) {
      forms.append(parts(rest[..<cut.lowerBound]))
      rest = rest[cut.upperBound...]
    }
    return forms + [parts(rest)]
  }

  private static func parts(_ text: Substring) -> [Part] {
    var parts: [Part] = []
    var rest = text
    while let open = rest.firstIndex(of: "{"),
      let close = rest[open...].firstIndex(of: "}"),
      let number = Int(rest[rest.index(after: open)..<close])
    {
      if open > rest.startIndex { parts.append(.words(String(rest[..<open]))) }
      parts.append(.hole(number))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.words(String(rest))) }
    return parts
  }
}

extension Substring {
  fileprivate func firstRange(of mark: String) -> Range<Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(mark) { return place..<index(place, offsetBy: mark.count) }
      place = index(after: place)
    }
    return nil
  }
}
