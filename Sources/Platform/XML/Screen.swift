/// Stands between a document and libxml2, and keeps from it what it handles badly: it compares an
/// element's attributes pair by pair (80 000 of them take over a second), keeps what a document
/// type declares, and has no name for `&nbsp;`. The screen follows the lexical structure only
/// (tags, quotes, comments), in one pass; being well-formed is libxml2's business. In recovering
/// mode it also rewrites what broken feeds get wrong.
struct Screen {
  enum State {
    case text
    case startTag(quote: UInt8)
    case endTag
    case comment(dashes: Int)
    case instruction(isMarked: Bool)
    case section(brackets: Int)
    case doctype(quote: UInt8)
    /// Inside `<!DOCTYPE x [ … ]>`.
    case subset(Subset)
  }

  enum Subset {
    case between
    case declaration(quote: UInt8)
    case comment(dashes: Int)
    case instruction(isMarked: Bool)
  }

  let limits: XMLLimits
  let recovers: Bool
  /// Whether references to entities of XHTML are replaced.
  let replacesEntities: Bool
  /// Whether ampersands that begin no entity are text.
  let takesBareReferences: Bool
  var state = State.text
  /// What libxml2 may see.
  var out: [UInt8] = []
  /// Where the start tags began that were let through.
  var starts: [XMLPosition] = []
  var warnings: [XMLError] = []
  var balance = TagBalance()
  var bytes: [UInt8] = []
  var index = 0
  var isLast = false
  /// Start tags without an end so far, as far as a look at the tags tells.
  var (depth, hasStarted, hasDoctype) = (0, false, false)
  /// Bytes and attributes of the tag, comment or section at hand.
  var (length, attributes) = (0, 0)
  private var passed = 0
  private var counted = 0
  /// How far counting has got.
  private(set) var place = XMLPosition()
  private var hasBegun = false

  /// Every element that began has ended, and at least one began. In recovering mode they are ended
  /// here.
  var isComplete: Bool {
    if recovers { return hasStarted }
    return if case .text = state { hasStarted && depth == 0 } else { false }
  }

  /// No element began, and nothing is left half read.
  var isUntouched: Bool { if case .text = state { !hasStarted } else { false } }

  init(_ options: XMLOptions) {
    limits = options.limits
    recovers = options.tolerance == .recovering
    replacesEntities = recovers || options.entities != .xml
    takesBareReferences = recovers || options.entities == .web
  }

  /// Adds to `out` what may be seen of this piece. A few bytes wait for the next piece, where
  /// more must be seen before it is clear what they are.
  mutating func pass(_ piece: [UInt8], isLast: Bool) throws(XMLError) {
    bytes = index < bytes.count ? bytes[index...] + piece : piece
    (index, passed, counted, self.isLast) = (0, 0, 0, isLast)
    if recovers && !hasBegun { skipLeadingSpace() }
    while index < bytes.count, try step() {}
    flush()
    _ = position(at: index)
    if isLast && recovers { closeAll() }
  }

  private mutating func step() throws(XMLError) -> Bool {
    let before = index
    let proceeds =
      switch state {
      case .text: try text()
      case .startTag(let quote): try startTag(quote)
      case .endTag: try endTag()
      case .comment(let dashes): try comment(dashes)
      case .instruction(let isMarked): try instruction(isMarked)
      case .section(let brackets): try section(brackets)
      case .doctype(let quote): try doctype(quote)
      case .subset(let subset): try self.subset(subset)
      }
    length += index - before
    try check(length: length)
    return proceeds
  }

  private func check(length: Int) throws(XMLError) {
    switch state {
    case .text: return
    case .startTag, .endTag:
      if length > limits.tag { throw tooLarge(.tag, limits.tag) }
    case .doctype, .subset:
      if length > XMLLimits.doctype { throw tooLarge(.doctype, XMLLimits.doctype) }
    case .comment, .instruction, .section:
      if length > limits.text { throw tooLarge(.text, limits.text) }
    }
  }

  /// Moves on to the next byte of `mask`, or to one XML forbids, and tells which it is.
  mutating func seek(_ mask: UInt64) throws(XMLError) -> UInt8? {
    let wanted = mask | Screen.forbidden
    while true {
      var here = index
      let (bytes, end) = (self.bytes, self.bytes.count)
      while here < end, bytes[here] >= 64 || wanted & (1 << UInt64(bytes[here])) == 0 { here += 1 }
      index = here
      guard here < end else { return nil }
      guard Screen.forbidden & (1 << UInt64(bytes[here])) != 0 else { return bytes[here] }
      try leaveOut()
    }
  }

  /// At a control character.
  mutating func leaveOut() throws(XMLError) {
    guard recovers else {
      throw fault(.malformed, "There is a control character, which XML forbids.")
    }
    warn(.malformed, "A control character was left out.")
    replace(1, by: "")
  }

  /// Drops the next bytes and writes something else for them.
  mutating func replace(_ count: Int, by text: some StringProtocol) {
    flush()
    out += text.utf8
    index += count
    passed = index
  }

  /// Passes what was read on as blanks, so that lines and columns stay what they are.
  mutating func blank() {
    out.append(contentsOf: bytes[passed..<index].lazy.map { $0 == 0x0A ? 0x0A : 0x20 })
    passed = index
  }

  mutating func flush() {
    if passed < index { out += bytes[passed..<index] }
    passed = index
  }

  /// Whether the bytes from here on are those of `text`; nil when the piece ends before it is
  /// clear.
  func matches(_ text: StaticString) -> Bool? {
    let count = text.utf8CodeUnitCount
    let there = bytes[index...].prefix(count)
    let agrees = text.withUTF8Buffer { unsafe there.elementsEqual($0.prefix(there.count)) }
    if !agrees || there.count == count { return agrees }
    return isLast ? false : nil
  }

  /// Counting is left for the places somebody asks about; only forward.
  mutating func position(at index: Int) -> XMLPosition {
    for byte in bytes[counted..<max(index, counted)] {
      if byte == 0x0A {
        place.line += 1
        place.column = 1
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
    }
    place.offset += max(index, counted) - counted
    counted = max(index, counted)
    return place
  }

  mutating func fault(_ reason: XMLError.Reason, _ sentence: String? = nil) -> XMLError {
    let here = position(at: index)
    return XMLError(reason, line: here.line, column: here.column, sentence)
  }

  mutating func warn(_ reason: XMLError.Reason, _ sentence: String? = nil) {
    if warnings.count < Screen.mostWarnings { warnings.append(fault(reason, sentence)) }
  }

  private func tooLarge(_ measure: XMLLimits.Measure, _ limit: Int) -> XMLError {
    var copy = self
    return copy.fault(.tooLarge(measure, limit: limit))
  }

  private mutating func skipLeadingSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) {
      replace(1, by: "")
    }
    hasBegun = index < bytes.count
  }

  static let mostWarnings = 100

  /// The control characters XML 1.0 §2.2 has no place for.
  static let forbidden: UInt64 = 0xFFFF_FFFF & ~(1 << 0x09 | 1 << 0x0A | 1 << 0x0D)

  static func mask(_ characters: StaticString) -> UInt64 {
    characters.withUTF8Buffer { unsafe $0.reduce(0) { $0 | 1 << UInt64($1) } }
  }
}
