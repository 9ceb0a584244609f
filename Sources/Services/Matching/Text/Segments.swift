/// A title cut where its punctuation cuts it, before anything is lost.
struct Segments {
  struct Segment {
    var text: String
    /// From brackets.
    var isAside: Bool
    /// After a semicolon and with a capital: catalogues list the works in one volume like this.
    var isNext = false
  }

  private(set) var parts: [Segment] = []
  /// What follows an `or`, as in `Frankenstein; or, The Modern Prometheus`.
  private(set) var alternatives: [String] = []

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var current: [Unicode.Scalar] = []
    var asides: [Segment] = []
    var isNext = false
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if let closing = Self.closing(scalar),
        let end = Self.end(of: scalar, closing, scalars, from: index)
      {
        let inside = String(String.UnicodeScalarView(scalars[(index + 1)..<end]))
        asides.append(Segment(text: inside, isAside: true))
        current.append(" ")
        index = end + 1
        continue
      }
      let blankBefore = current.last == " " || current.isEmpty
      let blankAfter = index + 1 >= scalars.count || scalars[index + 1] == " "
      switch scalar {
      case _ where cuts(scalar, blankAfter, current):
        finish(&current, isNext)
        isNext = scalar == ";"
      case "-" where blankBefore && blankAfter, "\u{2013}" where blankBefore && blankAfter,
        "~" where blankBefore && blankAfter:
        finish(&current, isNext)
        isNext = false
      case "/" where blankBefore && blankAfter && !current.isEmpty:
        // A statement of responsibility, or the next work of several.
        finish(&current, isNext)
        isNext = false
        parts.append(Segment(text: "\u{1}", isAside: true))
      default: current.append(scalar)
      }
      index += 1
    }
    finish(&current, isNext)
    // A title that is all brackets is its own.
    if parts.allSatisfy({ $0.text == "\u{1}" }), let first = asides.first {
      asides.removeFirst()
      parts = [Segment(text: first.text, isAside: false)]
    }
    parts += asides
    takeAlternatives()
  }

  private func cuts(_ scalar: Unicode.Scalar, _ blankAfter: Bool, _ current: [Unicode.Scalar])
    -> Bool
  {
    switch scalar {
    // `Re:Zero` and `2:46` are not cut.
    case ":": return blankAfter || current.last == " "
    case ";", "|", "\u{FF1A}", "\u{2014}": return true
    // A sentence ends, an initial does not: three small letters stand before it.
    case ".":
      return blankAfter && current.count > 3
        && current.suffix(3).allSatisfy { $0.properties.isLowercase && $0 != "." }
        && !["vol", "mrs", "nos"].contains(
          String(String.UnicodeScalarView(current.suffix(3))).lowercased())
    default: return false
    }
  }

  private mutating func finish(_ current: inout [Unicode.Scalar], _ isNext: Bool) {
    defer { current.removeAll(keepingCapacity: true) }
    guard current.contains(where: { $0 != " " }) else { return }
    let text =
      current.allSatisfy(\.isASCII)
      ? String(decoding: current.map { UInt8(truncatingIfNeeded: $0.value) }, as: UTF8.self)
      : String(String.UnicodeScalarView(current))
    parts.append(Segment(text: text, isAside: false, isNext: isNext && Self.isTitle(text)))
  }

  private static func isTitle(_ text: String) -> Bool {
    guard let first = text.split(separator: " ").first else { return false }
    return first.first?.isUppercase ?? false || ["and", "&"].contains(first)
  }

  private mutating func takeAlternatives() {
    var kept: [Segment] = []
    for part in parts {
      guard Self.mayTurn(part.text) else {
        kept.append(part)
        continue
      }
      let words = part.text.split(separator: " ")
      let lowered = words.map { $0.lowercased() }
      // `; or, The Whale`, which is a part of its own by now.
      if !kept.isEmpty, let first = lowered.first, ["or", "or,", "oder", "ou"].contains(first),
        words.count > 1, !part.isAside
      {
        alternatives.append(words.dropFirst().joined(separator: " "))
        continue
      }
      if let index = lowered.indices.dropFirst().first(where: { index in
        ["or", "or,", "oder", "ou"].contains(lowered[index]) && index + 1 < words.count
          && (lowered[index - 1].hasSuffix(",") || lowered[index] == "or,")
      }) {
        alternatives.append(words[(index + 1)...].joined(separator: " "))
        kept.append(
          Segment(text: words[..<index].joined(separator: " "), isAside: part.isAside))
        continue
      }
      kept.append(part)
    }
    parts = kept
  }

  /// Whether a word begins as `or`, `oder` and `ou` do: most titles have none, and are not taken
  /// apart for it.
  private static func mayTurn(_ text: String) -> Bool {
    var before: UInt8 = 0x20
    var beginning = false
    for byte in text.utf8 {
      if beginning, [0x72, 0x75, 0x64].contains(byte | 0x20) { return true }
      beginning = before == 0x20 && byte | 0x20 == 0x6F
      before = byte
    }
    return false
  }

  private static func closing(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "(": ")"
    case "[": "]"
    case "{": "}"
    case "\u{FF08}": "\u{FF09}"
    default: nil
    }
  }

  private static func end(
    of opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ scalars: [Unicode.Scalar], from: Int
  ) -> Int? {
    var depth = 0
    for index in from..<scalars.count {
      if scalars[index] == opening { depth += 1 }
      if scalars[index] == closing {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }
}
