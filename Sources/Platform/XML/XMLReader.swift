/// A document read event by event, in memory that does not grow with the document. It pulls: each
/// `next()` reads as much as it needs. The bytes are given whole, or by a source that is asked for
/// more, or, where they arrive from the network, by `feed`.
package struct XMLReader: ~Copyable {
  private enum Source {
    case memory([UInt8], at: Int)
    case pulled(() throws -> [UInt8])
    case fed([[UInt8]], isOver: Bool)
  }

  /// How much is taken from memory at a time, which bounds the events waiting to be asked for.
  private static let piece = 32 << 10

  private let options: XMLOptions
  private let parser: Parser
  private var intake: Intake
  private var screen: Screen
  private var source: Source
  private var isOver = false

  package init(_ bytes: [UInt8], _ options: XMLOptions = .strict) {
    self.init(.memory(bytes, at: 0), options)
  }

  /// Asks for bytes until it gets none.
  package init(_ options: XMLOptions = .strict, reading more: @escaping () throws -> [UInt8]) {
    self.init(.pulled(more), options)
  }

  /// Waits for `feed`. While it has no bytes, `next()` is nil; after `finish()` nil is the end.
  package init(fed options: XMLOptions) {
    self.init(.fed([], isOver: false), options)
  }

  private init(_ source: Source, _ options: XMLOptions) {
    (self.source, self.options) = (source, options)
    intake = Intake(options)
    screen = Screen(options)
    parser = Parser(options)
  }

  package mutating func feed(_ bytes: [UInt8]) {
    if case .fed(let waiting, let isOver) = source, !bytes.isEmpty {
      source = .fed(waiting + [bytes], isOver: isOver)
    }
  }

  package mutating func finish() {
    if case .fed(let waiting, _) = source { source = .fed(waiting, isOver: true) }
  }

  /// What had to be guessed or left out, in recovering mode and where an encoding was repaired.
  package var warnings: [XMLError] {
    let all = intake.warnings + screen.warnings + parser.box.collector.warnings
    return all.count > Screen.mostWarnings ? Array(all[..<Screen.mostWarnings]) : all
  }

  /// The next event; nil at the end. An error is final: every later call throws it again.
  package mutating func next() throws(XMLError) -> XMLEvent? {
    while true {
      if let event = parser.box.collector.take() { return event }
      if let fault = parser.box.collector.fault { throw fault }
      if isOver { return nil }
      guard let (piece, isLast) = try more() else { return nil }
      do {
        try advance(piece, isLast)
      } catch {
        parser.box.collector.flush()
        parser.box.collector.fault = parser.box.collector.fault ?? error
      }
    }
  }

  private mutating func more() throws(XMLError) -> ([UInt8], isLast: Bool)? {
    switch source {
    case .memory(let bytes, let start):
      let end = min(start + XMLReader.piece, bytes.count)
      source = .memory(bytes, at: end)
      return (Array(bytes[start..<end]), end == bytes.count)
    case .pulled(let more):
      do {
        let bytes = try more()
        return (bytes, bytes.isEmpty)
      } catch {
        throw XMLError(.unreadable(String(describing: error)))
      }
    case .fed(var waiting, let isOver):
      guard !waiting.isEmpty else { return isOver ? ([], true) : nil }
      let first = waiting.removeFirst()
      source = .fed(waiting, isOver: isOver)
      return (first, false)
    }
  }

  private mutating func advance(_ piece: [UInt8], _ isLast: Bool) throws(XMLError) {
    isOver = isLast
    screen.out.removeAll(keepingCapacity: true)
    var refusal: XMLError?
    do {
      let decoded = try intake.take(piece, isLast: isLast, at: screen.place)
      try screen.pass(decoded, isLast: isLast)
    } catch {
      refusal = error
    }
    // What came before the place of a refusal is still reported.
    parser.box.collector.expect(screen.starts)
    screen.starts.removeAll(keepingCapacity: true)
    let end = isLast && refusal == nil
    if !screen.out.isEmpty { parser.parse(screen.out, isLast: false) }
    if end { conclude() }
    if let refusal, parser.box.collector.fault == nil { throw refusal }
  }

  /// At the end of the bytes: whatever is missing now was cut off.
  private func conclude() {
    let wasWhole = parser.box.collector.fault == nil
    parser.parse([], isLast: true)
    if wasWhole && !screen.isComplete {
      let end = screen.place
      parser.box.collector.fault = XMLError(
        screen.isUntouched ? .empty : .truncated, line: end.line, column: end.column)
    }
    parser.box.collector.close()
  }
}
