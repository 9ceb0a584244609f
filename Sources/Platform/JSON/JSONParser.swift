extension JSONValue {
  /// Reads one value and nothing after it (RFC 8259); a byte order mark in front is passed over.
  package init(parsing bytes: [UInt8], by rules: JSONRules = .strict) throws(JSONError) {
    guard bytes.count <= rules.maximumBytes else {
      throw JSONError(.tooLarge(limit: rules.maximumBytes), at: 0, line: 1, column: 1)
    }
    let outcome = unsafe bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
      var parser = unsafe JSONParser(buffer, rules)
      do throws(JSONParser.Fault) {
        return .success(try parser.document())
      } catch {
        return .failure(unsafe error.located(in: buffer))
      }
    }
    self = try outcome.get()
  }

  package init(parsing text: String, by rules: JSONRules = .strict) throws(JSONError) {
    self = try JSONValue(parsing: Array(text.utf8), by: rules)
  }
}

/// One pass over borrowed bytes. Finished children wait on two stacks shared by all levels, so
/// that each container is allocated once, at its final size.
@safe struct JSONParser {
  /// The pointer is only used while the buffer it came from is lent, see `init(parsing:)`.
  private let base: UnsafePointer<UInt8>?
  let end: Int
  let rules: JSONRules
  var at = 0
  private var depth = 0
  private var valuesLeft: Int
  private var elements: [JSONValue] = []
  private var members: [JSONObject.Member] = []

  init(_ buffer: UnsafeBufferPointer<UInt8>, _ rules: JSONRules) {
    unsafe base = buffer.baseAddress
    end = buffer.count
    self.rules = rules
    valuesLeft = rules.maximumValues
  }

  mutating func document() throws(Fault) -> JSONValue {
    if end >= 3, byte(0) == 0xef, byte(1) == 0xbb, byte(2) == 0xbf { at = 3 }
    skipBlanks()
    let value = try value()
    skipBlanks()
    guard at == end else { throw Fault(.trailingContent, at) }
    return value
  }

  /// Callers have compared `index` with `end`.
  @inline(__always) func byte(_ index: Int) -> UInt8 { unsafe base.unsafelyUnwrapped[index] }

  /// Eight bytes from `index` on, for looking at many at once; callers know that they exist.
  @inline(__always) func word(_ index: Int) -> UInt64 {
    unsafe UnsafeRawPointer(base.unsafelyUnwrapped).loadUnaligned(
      fromByteOffset: index, as: UInt64.self)
  }

  @inline(__always) func lend(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base.unsafelyUnwrapped + range.lowerBound, count: range.count)
  }

  @inline(__always) mutating func skipBlanks() {
    while at < end {
      switch byte(at) {
      case 0x20, 0x0a, 0x0d, 0x09: at += 1
      default: return
      }
    }
  }

  private mutating func value() throws(Fault) -> JSONValue {
    guard at < end else { throw Fault(.unexpectedEnd, at) }
    valuesLeft -= 1
    if valuesLeft < 0 { throw Fault(.tooManyValues(limit: rules.maximumValues), at) }
    switch byte(at) {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let other: throw Fault(.unexpected(byte: other, wanted: "a value"), at)
    }
  }

  private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
    for offset in 0..<text.utf8CodeUnitCount {
      guard at < end else { throw Fault(.unexpectedEnd, at) }
      let wanted = unsafe text.utf8Start[offset]
      guard byte(at) == wanted else {
        throw Fault(.unexpected(byte: byte(at), wanted: "\(text)"), at)
      }
      at += 1
    }
    return value
  }

  private mutating func descend() throws(Fault) {
    depth += 1
    if depth > rules.maximumDepth { throw Fault(.tooDeep(limit: rules.maximumDepth), at) }
    at += 1
    skipBlanks()
  }

  private mutating func array() throws(Fault) -> JSONValue {
    try descend()
    let start = elements.count
    if at < end, byte(at) == UInt8(ascii: "]") {
      at += 1
    } else {
      repeat {
        skipBlanks()
        elements.append(try value())
      } while try another(before: UInt8(ascii: "]"))
    }
    depth -= 1
    let array = Array(elements[start...])
    elements.removeLast(array.count)
    return .array(array)
  }

  private mutating func object() throws(Fault) -> JSONValue {
    try descend()
    let start = members.count
    if at < end, byte(at) == UInt8(ascii: "}") {
      at += 1
    } else {
      repeat {
        skipBlanks()
        guard at < end else { throw Fault(.unexpectedEnd, at) }
        guard byte(at) == UInt8(ascii: "\"") else {
          throw Fault(.unexpected(byte: byte(at), wanted: "a name in quotes"), at)
        }
        let place = at
        let name = try string()
        skipBlanks()
        guard at < end else { throw Fault(.unexpectedEnd, at) }
        guard byte(at) == UInt8(ascii: ":") else {
          throw Fault(.unexpected(byte: byte(at), wanted: "':'"), at)
        }
        at += 1
        skipBlanks()
        let value = try value()
        try keep(JSONObject.Member(name, value), from: start, named: place)
      } while try another(before: UInt8(ascii: "}"))
    }
    depth -= 1
    let found = Array(members[start...])
    members.removeLast(found.count)
    return .object(try distinct(found, at: at))
  }

  /// A small object is searched at once for the name; a large one is checked when it is complete.
  @inline(__always)
  private mutating func keep(_ member: JSONObject.Member, from start: Int, named place: Int)
    throws(Fault)
  {
    if members.count - start < JSONObject.indexedFrom {
      for index in start..<members.count where members[index].name == member.name {
        switch rules.duplicateNames {
        case .refused: throw Fault(.duplicateName(member.name), place)
        case .lastCounts: members[index].value = member.value
        case .firstCounts: break
        }
        return
      }
    }
    members.append(member)
  }

  private func distinct(_ found: [JSONObject.Member], at place: Int) throws(Fault) -> JSONObject {
    guard found.count >= JSONObject.indexedFrom else {
      return JSONObject(distinct: found, index: nil)
    }
    var index = [String: Int](minimumCapacity: found.count)
    var kept: [JSONObject.Member] = []
    kept.reserveCapacity(found.count)
    for member in found {
      if let earlier = index[member.name] {
        switch rules.duplicateNames {
        case .refused: throw Fault(.duplicateName(member.name), place - 1)
        case .lastCounts: kept[earlier].value = member.value
        case .firstCounts: break
        }
      } else {
        index[member.name] = kept.count
        kept.append(member)
      }
    }
    return JSONObject(distinct: kept, index: index)
  }

  /// After an element: a comma, or the end of the container.
  @inline(__always) private mutating func another(before close: UInt8) throws(Fault) -> Bool {
    skipBlanks()
    guard at < end else { throw Fault(.unexpectedEnd, at) }
    let found = byte(at)
    guard found == UInt8(ascii: ",") || found == close else {
      let wanted = close == UInt8(ascii: "]") ? "',' or ']'" : "',' or '}'"
      throw Fault(.unexpected(byte: found, wanted: wanted), at)
    }
    at += 1
    return found != close
  }
}

extension JSONParser {
  /// A reason and an offset; the line is only counted once it is needed.
  struct Fault: Error {
    let reason: JSONError.Reason
    let offset: Int

    init(_ reason: JSONError.Reason, _ offset: Int) {
      (self.reason, self.offset) = (reason, offset)
    }

    func located(in buffer: UnsafeBufferPointer<UInt8>) -> JSONError {
      var (line, column) = (1, 1)
      for index in 0..<min(offset, buffer.count) {
        let byte = unsafe buffer[index]
        if byte == 0x0a {
          (line, column) = (line + 1, 1)
        } else if byte & 0xc0 != 0x80 {
          column += 1
        }
      }
      return JSONError(reason, at: offset, line: line, column: column)
    }
  }
}
