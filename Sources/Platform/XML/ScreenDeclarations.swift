// What the screen does in comments, instructions, CDATA sections and document types.
extension Screen {
  mutating func comment(_ dashes: Int) throws(XMLError) -> Bool {
    let dashes = try run(of: UInt8(ascii: "-"), dashes, atLeast: 2)
    state = dashes.map { .comment(dashes: $0) } ?? .text
    return true
  }

  mutating func section(_ brackets: Int) throws(XMLError) -> Bool {
    let brackets = try run(of: UInt8(ascii: "]"), brackets, atLeast: 2)
    state = brackets.map { .section(brackets: $0) } ?? .text
    return true
  }

  mutating func instruction(_ isMarked: Bool) throws(XMLError) -> Bool {
    let marks = try run(of: UInt8(ascii: "?"), isMarked ? 1 : 0, atLeast: 1)
    state = marks.map { .instruction(isMarked: $0 > 0) } ?? .text
    return true
  }

  /// There may be one document type, before the first element.
  mutating func beginDoctype(_ opening: StaticString) throws(XMLError) {
    if (hasStarted || hasDoctype) && !recovers {
      throw fault(.malformed, "A document type stands where none may be.")
    }
    flush()
    index += opening.utf8CodeUnitCount
    blank()
    hasDoctype = true
  }

  /// The document type is read by nobody: it is checked for entities, and libxml2, whose code for
  /// DTDs is where its accidents happen, gets blanks.
  mutating func doctype(_ quote: UInt8) throws(XMLError) -> Bool {
    var quote = quote
    while index < bytes.count, case .doctype = state {
      let byte = bytes[index]
      switch byte {
      case _ where quote != 0: if byte == quote { quote = 0 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "<") where !recovers:
        throw fault(.malformed, "The document type is not well-formed.")
      case UInt8(ascii: ">"): state = .text
      case UInt8(ascii: "["): state = .subset(.between)
      default: break
      }
      index += 1
    }
    if case .doctype = state { state = .doctype(quote: quote) }
    blank()
    return true
  }

  mutating func subset(_ subset: Subset) throws(XMLError) -> Bool {
    switch subset {
    case .between:
      guard try between() else { return false }
    case .declaration(let quote):
      declaration(quote)
    case .comment(let dashes):
      let dashes = try run(of: UInt8(ascii: "-"), dashes, atLeast: 2)
      state = .subset(dashes.map { .comment(dashes: $0) } ?? .between)
    case .instruction(let isMarked):
      let marks = try run(of: UInt8(ascii: "?"), isMarked ? 1 : 0, atLeast: 1)
      state = .subset(marks.map { .instruction(isMarked: $0 > 0) } ?? .between)
    }
    blank()
    return true
  }

  private mutating func declaration(_ before: UInt8) {
    var quote = before
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        state = .subset(.between)
        return
      }
    }
    state = .subset(.declaration(quote: quote))
  }

  private mutating func between() throws(XMLError) -> Bool {
    switch bytes[index] {
    case 0x20, 0x09, 0x0A, 0x0D:
      index += 1
    case UInt8(ascii: "]"):
      index += 1
      state = .doctype(quote: 0)
    case UInt8(ascii: "%"):
      throw fault(.entityDeclared, "The document type uses parameter entities, which is refused.")
    default:
      let kinds: [(StaticString, Subset?)] = [
        ("<!--", .comment(dashes: 0)), ("<?", .instruction(isMarked: false)), ("<!ENTITY", nil),
        ("<!ELEMENT", .declaration(quote: 0)), ("<!ATTLIST", .declaration(quote: 0)),
        ("<!NOTATION", .declaration(quote: 0)),
      ]
      for (opening, next) in kinds {
        guard let isHere = matches(opening) else { return false }
        guard isHere else { continue }
        guard let next else { throw fault(.entityDeclared) }
        state = .subset(next)
        index += opening.utf8CodeUnitCount
        return true
      }
      throw fault(.malformed, "The document type holds something unknown.")
    }
    return true
  }

  /// Whether two hyphens inside a comment begin here, which do not end it.
  private var isDoubleHyphen: Bool {
    guard case .comment = state, index + 2 < bytes.count else { return false }
    return bytes[index + 1] == UInt8(ascii: "-") && bytes[index + 2] != UInt8(ascii: ">")
  }

  /// libxml2 copies all of the comment so far for each complaint about them.
  private mutating func breakHyphens() throws(XMLError) {
    let sentence = "A comment contains “--”."
    guard recovers else { throw fault(.malformed, sentence) }
    warn(.malformed, sentence)
    replace(1, by: " ")
  }

  /// Reads to the end of something that ends in a run of one byte and `>`. The number of those
  /// bytes just read, for the next piece; nil at the end.
  private mutating func run(of repeated: UInt8, _ before: Int, atLeast needed: Int)
    throws(XMLError) -> Int?
  {
    var count = before
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 && Screen.forbidden & (1 << UInt64(byte)) != 0 {
        // In a subset it becomes a blank with everything else.
        if case .subset = state { index += 1 } else { try leaveOut() }
        continue
      }
      if byte == UInt8(ascii: "-"), isDoubleHyphen {
        try breakHyphens()
        count = 0
        continue
      }
      index += 1
      if byte == repeated {
        count += 1
      } else if byte == UInt8(ascii: ">") && count >= needed {
        return nil
      } else {
        count = 0
      }
    }
    return count
  }
}
