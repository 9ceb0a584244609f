import Synchronization

/// Writes events, one line each: a constant sentence and pairs. Cheap to pass about and to extend by
/// pairs that every line of one request should carry.
package struct Logger: Sendable {
  private let log: Log
  private let bound: [Pair]

  package init(to log: Log) { (self.log, bound) = (log, []) }

  private init(_ log: Log, _ bound: [Pair]) { (self.log, self.bound) = (log, bound) }

  /// The same, with more pairs on every line.
  package func with(_ pairs: Pair...) -> Logger { Logger(log, bound + pairs) }

  package func error(_ message: StaticString, _ pairs: @autoclosure () -> [Pair] = []) {
    write(.error, message, pairs)
  }

  package func warn(_ message: StaticString, _ pairs: @autoclosure () -> [Pair] = []) {
    write(.warn, message, pairs)
  }

  package func info(_ message: StaticString, _ pairs: @autoclosure () -> [Pair] = []) {
    write(.info, message, pairs)
  }

  package func debug(_ message: StaticString, _ pairs: @autoclosure () -> [Pair] = []) {
    write(.debug, message, pairs)
  }

  private func write(_ level: Level, _ message: StaticString, _ pairs: () -> [Pair]) {
    guard level <= log.level else { return }
    let own = bound + pairs()
    log.write(level, message, own + (LogScope.current?.pairs(besides: own) ?? []))
  }

  /// For tests and for programs that have nothing to say.
  package static let silent = Logger(to: Log(level: .error, time: { "" }, sink: { _ in }))
}

/// Where lines go and how they look, shared by all loggers of a program.
package final class Log: Sendable {
  package let redactor: Redactor
  private let current: Atomic<Int>
  private let format: LineFormat
  private let inJournal: Bool
  private let counts = Mutex([Int](repeating: 0, count: Level.allCases.count))
  private let time: @Sendable () -> String
  private let sink: @Sendable ([UInt8]) -> Void

  /// `time` gives RFC 3339 in UTC; `sink` gets whole lines, each to be written in one piece.
  package init(
    level: Level, format: LineFormat = .logfmt, inJournal: Bool = false,
    redactor: Redactor = Redactor(), time: @escaping @Sendable () -> String,
    sink: @escaping @Sendable ([UInt8]) -> Void
  ) {
    current = Atomic(level.rawValue)
    (self.format, self.inJournal, self.redactor) = (format, inJournal, redactor)
    (self.time, self.sink) = (time, sink)
  }

  /// May be changed while the program runs.
  package var level: Level {
    get { Level(rawValue: current.load(ordering: .relaxed)) ?? .info }
    set { current.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// How many lines of that level were written.
  package func count(of level: Level) -> Int { counts.withLock { $0[level.rawValue] } }

  func write(_ level: Level, _ message: StaticString, _ pairs: [Pair]) {
    counts.withLock { $0[level.rawValue] += 1 }
    let line = format.line(at: time(), level, message, pairs, through: redactor)
    sink(inJournal ? Array("<\(level.journalPriority)>".utf8) + line : line)
  }
}
