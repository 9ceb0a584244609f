/// One run of a `StyleList` over the tokens of a sheet.
struct StyleRebuilding {
  private let tokens: [StyleToken]
  private let list: StyleList
  private var at = 0
  private var rules = 0
  private var addresses = 0
  private static let deepest = 8

  init(_ tokens: [StyleToken], by list: StyleList) { (self.tokens, self.list) = (tokens, list) }

  // MARK: - Rules

  mutating func sheet() -> String {
    var out = ""
    rules(upTo: tokens.count, depth: 0, to: &out)
    return out
  }

  private mutating func rules(upTo end: Int, depth: Int, to out: inout String) {
    while at < end, rules < list.maximumRules {
      switch tokens[at] {
      case .blank, .bad, .close: at += 1
      // What no selector begins with: signs of comments in HTML, strays.
      case .mark(let byte) where !".*:|".utf8.contains(byte): at += 1
      case .at(let name): atRule(name.lowercased(), end, depth, to: &out)
      default: styleRule(end, to: &out)
      }
    }
    at = max(at, end)
  }

  private mutating func styleRule(_ end: Int, to out: inout String) {
    let start = at
    guard let brace = find(0x7B, upTo: end) else {
      at = end
      return
    }
    let close = matching(brace, upTo: end)
    let selector = Self.selector(tokens[start..<brace])
    at = brace + 1
    let body = declarations(upTo: close)
    at = close + 1
    guard let selector, !body.isEmpty else { return }
    rules += 1
    out += "\(selector){\(body)}\n"
  }

  private mutating func atRule(_ name: String, _ end: Int, _ depth: Int, to out: inout String) {
    let start = at + 1
    let stop = find(0x3B, or: 0x7B, upTo: end) ?? end
    guard stop < end, tokens[stop] == .open(0x7B) else {
      at = min(stop + 1, end)
      statement(name, tokens[start..<stop], to: &out)
      return
    }
    let brace = stop
    let close = matching(brace, upTo: end)
    let prelude = tokens[start..<brace]
    at = brace + 1
    switch name {
    case "media":
      if depth < Self.deepest, let query = Self.query(prelude.drop { $0 == .blank }) {
        var inside = ""
        rules(upTo: close, depth: depth + 1, to: &inside)
        if !inside.isEmpty { out += "@media \(query){\n\(inside)}\n" }
      }
    case "font-face":
      let body = declarations(upTo: close, isFont: true)
      rules += 1
      if !body.isEmpty { out += "@font-face{\(body)}\n" }
    default: break
    }
    at = close + 1
  }

  private mutating func statement(
    _ name: String, _ prelude: ArraySlice<StyleToken>, to out: inout String
  ) {
    let parts = prelude.filter { $0 != .blank }
    switch name {
    case "import":
      guard let first = parts.first, let address = Self.text(first),
        let own = source(address, by: list.sheet)
      else { return }
      let rest = prelude.drop { $0 == .blank }.dropFirst()
      guard let query = Self.query(rest) else { return }
      StyleToken.at("import").write(to: &out)
      out += " "
      StyleToken.address(own).write(to: &out)
      out += query.isEmpty ? ";\n" : " \(query);\n"
    case "namespace":
      guard let last = parts.last, let address = Self.text(last),
        StyleList.namespaces.contains(address), parts.count <= 2
      else { return }
      out += "@namespace "
      if parts.count == 2 {
        guard case .word = parts[0] else { return }
        parts[0].write(to: &out)
        out += " "
      }
      StyleToken.address(address).write(to: &out)
      out += ";\n"
    default: break
    }
  }

  private static func text(_ token: StyleToken) -> String? {
    switch token {
    case .string(let text), .address(let text): text
    default: nil
    }
  }

  // MARK: - What stands before a block

  private static func selector(_ tokens: ArraySlice<StyleToken>) -> String? {
    written(tokens) { token in
      switch token {
      case .word, .hash, .string, .number, .blank, .open(0x5B), .close(0x5D), .close(0x29): true
      case .function(let name): StyleList.selectorFunctions.contains(name.lowercased())
      case .mark(let byte): ".>+~*|=^$,:".utf8.contains(byte)
      default: false
      }
    }
  }

  private static func query(_ tokens: ArraySlice<StyleToken>) -> String? {
    tokens.isEmpty
      ? ""
      : written(tokens) { token in
        switch token {
        case .word, .number, .blank, .open(0x28), .close(0x29): true
        case .mark(let byte): ",:/<>=".utf8.contains(byte)
        default: false
        }
      }
  }

  /// Nil where a token is there that may not be, or nothing but blanks.
  private static func written(
    _ tokens: ArraySlice<StyleToken>, _ allows: (StyleToken) -> Bool
  ) -> String? {
    guard tokens.allSatisfy(allows), tokens.contains(where: { $0 != .blank }),
      isBalanced(tokens)
    else { return nil }
    var out = ""
    for token in tokens { token.write(to: &out) }
    return out
  }

  // MARK: - Declarations

  mutating func declarations() -> String { declarations(upTo: tokens.count) }

  private mutating func declarations(upTo end: Int, isFont: Bool = false) -> String {
    var kept: [String] = []
    while at < end {
      let stop = find(0x3B, upTo: end) ?? end
      if let one = declaration(tokens[at..<stop], isFont) { kept.append(one) }
      at = stop + 1
    }
    at = end
    return kept.joined(separator: ";")
  }

  private mutating func declaration(_ tokens: ArraySlice<StyleToken>, _ isFont: Bool) -> String? {
    var rest = tokens.drop { $0 == .blank }
    guard case .word(let written)? = rest.first else { return nil }
    let name = StyleList.modern(written.lowercased())
    rest = rest.dropFirst().drop { $0 == .blank }
    guard StyleList.allows(name), isFont || name != "src", rest.first == .mark(0x3A) else {
      return nil
    }
    rest = rest.dropFirst().drop { $0 == .blank }
    while rest.last == .blank { rest.removeLast() }
    guard !rest.isEmpty, Self.isBalanced(rest),
      !(name == "position" && Self.leavesThePage(rest))
    else { return nil }
    var out = ""
    StyleToken.word(name).write(to: &out)
    out += ":"
    for token in rest {
      guard let own = value(token, isFont ? list.font : list.picture) else { return nil }
      own.write(to: &out)
    }
    return out
  }

  /// What is laid over everything else, wherever one turns.
  private static func leavesThePage(_ value: ArraySlice<StyleToken>) -> Bool {
    !value.allSatisfy { token in
      switch token {
      case .blank, .mark(0x21): true
      case .word(let word):
        ["static", "relative", "absolute", "inherit", "initial", "unset", "important"]
          .contains(word.lowercased())
      default: false
      }
    }
  }

  private mutating func value(
    _ token: StyleToken, _ list: (String) -> String?
  ) -> StyleToken? {
    switch token {
    case .word(let word):
      word.lowercased() == "-epub-fullwidth" ? .word("full-width") : token
    case .hash, .string, .number, .blank, .open(0x28), .close(0x29): token
    case .function(let name):
      StyleList.functions.contains(name.lowercased()) ? token : nil
    case .mark(let byte): ",/!+-*?".utf8.contains(byte) ? token : nil
    case .address(let text):
      // A part of the same drawing is no address.
      text.hasPrefix("#") ? token : source(text, by: list).map(StyleToken.address)
    default: nil
    }
  }

  private mutating func source(_ text: String, by list: (String) -> String?) -> String? {
    addresses += 1
    return addresses <= StyleList.maximumAddresses ? list(text) : nil
  }

  // MARK: - Finding

  /// The next of one or two kinds that stands in no brackets. Two are looked for at once: a sheet that
  /// has none of the second would be walked through to its end for each of the first.
  private func find(_ byte: UInt8, or other: UInt8? = nil, upTo end: Int) -> Int? {
    var place = at
    while place < end {
      switch tokens[place] {
      case .mark(let found) where found == byte || found == other: return place
      case .open(let found) where found == byte || found == other: return place
      case .open, .function: place = matching(place, upTo: end)
      default: break
      }
      place += 1
    }
    return nil
  }

  /// What is left open would swallow what follows.
  private static func isBalanced(_ tokens: ArraySlice<StyleToken>) -> Bool {
    var open: [UInt8] = []
    for token in tokens {
      switch token {
      case .open(let byte): open.append(byte == 0x28 ? 0x29 : byte + 2)
      case .function: open.append(0x29)
      case .close(let byte): if open.popLast() != byte { return false }
      default: continue
      }
    }
    return open.isEmpty
  }

  /// Where the bracket at a place is closed; the end where it never is.
  private func matching(_ place: Int, upTo end: Int) -> Int {
    var open: [UInt8] = []
    var place = place
    while place < end {
      switch tokens[place] {
      case .open(let byte): open.append(byte == 0x28 ? 0x29 : byte + 2)
      case .function: open.append(0x29)
      case .close(let byte):
        if open.last == byte { open.removeLast() }
        if open.isEmpty { return place }
      default: break
      }
      place += 1
    }
    return end
  }
}
