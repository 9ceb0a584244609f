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

  mutating func doctype(_ quote: UInt8) throws(XMLError) -> Bool {
    let byte = bytes[index]
    switch byte {
    case _ where quote != 0: if byte == quote { state = .doctype(quote: 0) }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .doctype(quote: byte)
    case UInt8(ascii: ">"): state = .text
    case UInt8(ascii: "["): state = .subset(.between)
    default: break
    }
    index += 1
    return true
  }

  /// The internal subset is read by nobody: it is checked for entities, and libxml2 gets spaces.
  mutating func subset(_ subset: Subset) throws(XMLError) -> Bool {
    let start = index
    flush()
    switch subset {
    case .between:
      guard try between() else { return false }
      if case .doctype = state { return true }
    case .declaration(let quote):
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { state = .subset(.declaration(quote: 0)) }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        state = .subset(.declaration(quote: byte))
      } else if byte == UInt8(ascii: ">") {
        state = .subset(.between)
      }
      index += 1
    case .comment(let dashes):
      let dashes = try run(of: UInt8(ascii: "-"), dashes, atLeast: 2)
      state = .subset(dashes.map { .comment(dashes: $0) } ?? .between)
    case .instruction(let isMarked):
      let marks = try run(of: UInt8(ascii: "?"), isMarked ? 1 : 0, atLeast: 1)
      state = .subset(marks.map { .instruction(isMarked: $0 > 0) } ?? .between)
    }
    let end = index
    index = start
    replace(
      end - start,
      by: String(
        decoding: bytes[start..<end].map { $0 == 0x0A ? 0x0A : 0x20 }, as: UTF8.self))
    return true
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

  /// Reads to the end of something that ends in a run of one byte and `>`. The number of those
  /// bytes just read, for the next piece; nil at the end.
  private mutating func run(of repeated: UInt8, _ before: Int, atLeast needed: Int)
    throws(XMLError) -> Int?
  {
    var count = before
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 && Screen.forbidden & (1 << UInt64(byte)) != 0 {
        // In a subset it becomes a space with everything else.
        if case .subset = state { index += 1 } else { try leaveOut() }
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
