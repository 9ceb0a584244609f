import Secrets
import Synchronization
import Testing

@testable import Log

/// Collects what is written.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ bytes: [UInt8]) {
    lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
  }

  var all: [String] { lines.withLock { $0 } }

  func log(_ format: LineFormat = .logfmt, level: Level = .debug, inJournal: Bool = false) -> Log {
    Log(
      level: level, format: format, inJournal: inJournal, time: { "2026-03-24T09:05:00.000Z" },
      sink: add)
  }
}

@Suite struct `A log line` {
  let lines = Lines()

  @Test func `A log line is a sentence and pairs in logfmt`() {
    Logger(to: lines.log()).with(.pair("request_id", "r1")).info(
      "Request served",
      [.pair("status", 200), .pair("dur_ms", .milliseconds(12)), .pair("cached", true)])
    #expect(
      lines.all == [
        "time=2026-03-24T09:05:00.000Z level=info msg=\"Request served\" request_id=r1 status=200 dur_ms=12 cached=true\n"
      ])
  }

  @Test func `A log line is one object in JSON`() {
    Logger(to: lines.log(.json)).warn(
      "Slow answer",
      [.pair("dur_ms", .seconds(2)), .pair("said", "a \"b\"\n"), Pair("load", .decimal(0.5))])
    #expect(
      lines.all == [
        #"{"time":"2026-03-24T09:05:00.000Z","level":"warn","msg":"Slow answer","dur_ms":2000,"said":"a \"b\"\n","load":0.5}"#
          + "\n"
      ])
  }

  @Test(arguments: LineFormat.allCases)
  func `A log line cannot be forged by a value`(format: LineFormat) {
    Logger(to: lines.log(format)).info(
      "Said",
      [
        .pair(
          "text",
          "x\ntime=1 level=error msg=\"forged\"\r\u{1B}[31m\u{2028}\u{202E}\u{0}\u{9B}\u{85}\u{2066}\u{E0041}"
        )
      ])
    let line = lines.all[0].dropLast()
    #expect(!line.contains { $0.isNewline })
    #expect(
      !line.unicodeScalars.contains {
        switch $0.value {
        case ..<0x20, 0x7F...0x9F, 0x200B...0x202E, 0x2060...0x206F, 0xE_0000...0xE_007F: true
        default: false
        }
      })
  }

  @Test func `A log line is cut when it is too long`() {
    Logger(to: lines.log()).info("Said", [.pair("text", String(repeating: "x", count: 100_000))])
    #expect(lines.all[0].utf8.count < 3000)
    #expect(lines.all[0].contains("(100000 bytes)"))
  }

  @Test func `A log line tells only the length of free text and nothing of a secret`() {
    Logger(to: lines.log()).info(
      "Said", [Pair("text", .lengthOf("Jane Doe, fines")), .pair("pin", Secret("4711"))])
    #expect(lines.all[0].hasSuffix("text=\"(15 bytes)\" pin=\"•••\"\n"))
  }

  @Test func `A log line is not made below the level, which may change at any time`() {
    let log = lines.log(level: .warn)
    let logger = Logger(to: log)
    var evaluated = false
    logger.info(
      "No",
      {
        evaluated = true
        return []
      }())
    #expect(lines.all.isEmpty && !evaluated)
    log.level = .debug
    logger.debug("Yes")
    #expect(lines.all.count == 1)
  }

  @Test(arguments: zip(Level.allCases, ["<3>", "<4>", "<6>", "<7>"]))
  func `A log line starts with the journal's number there`(level: Level, prefix: String) {
    let logger = Logger(to: lines.log(inJournal: true))
    switch level {
    case .error: logger.error("x")
    case .warn: logger.warn("x")
    case .info: logger.info("x")
    case .debug: logger.debug("x")
    }
    #expect(lines.all[0].hasPrefix(prefix + "time="))
  }
}

@Suite struct `The redactor` {
  let redactor = Redactor()
  static let marker = "ZZPIN 47/11+\"ü\"ZZ"

  init() { redactor.learn(Secret(Self.marker)) }

  @Test(arguments: [
    "ZZPIN 47/11+\"ü\"ZZ", "ZZPIN%2047%2F11%2B%22%C3%BC%22ZZ", "ZZPIN+47%2F11%2B%22%C3%BC%22ZZ",
    "ZZPIN%2047%2f11%2b%22%c3%bc%22ZZ", #"ZZPIN 47\/11+\"ü\"ZZ"#,
    "5a5a50494e2034372f31312b22c3bc225a5a", "5A5A50494E2034372F31312B22C3BC225A5A",
  ])
  func `The redactor knows a secret in every spelling`(spelling: String) {
    #expect(redactor.redacted("before \(spelling) after") == "before ••• after")
  }

  @Test(arguments: ["", "a", "ab", "abc", "card:", "card-number:"])
  func `The redactor knows it inside a base64 text, wherever it starts`(before: String) {
    // As in a Basic header: what decides is hidden, whatever stands around it.
    let text = Self.base64(before + Self.marker + "!")
    #expect(
      redactor.redacted("Authorization: Basic \(text), more") == "Authorization: Basic •••, more")
  }

  @Test func `The redactor takes a short one as a word only`() {
    redactor.learn(Secret("4711"))
    #expect(
      redactor.redacted("pin=4711, 4711; 14711 47110 x4711 4711")
        == "pin=•••, •••; 14711 47110 x4711 •••")
  }

  @Test func `The redactor does not look for what is too short`() {
    redactor.learn(Secret("123"))
    #expect(redactor.redacted("123") == "123")
  }

  @Test func `The redactor forgets when the last owner does`() {
    let secret = Secret("long-token-value")
    redactor.learn(secret)
    redactor.learn(secret)
    redactor.forget(secret)
    #expect(redactor.redacted("long-token-value") == "•••")
    redactor.forget(secret)
    #expect(redactor.redacted("long-token-value") == "long-token-value")
    redactor.forget(secret)
  }

  @Test func `The redactor leaves other texts as they are`() {
    for text in ["", "a", "nothing here", "ZZPIN", "é"] { #expect(redactor.redacted(text) == text) }
  }

  @Test func `The redactor replaces the longer of two that start alike`() {
    redactor.learn(Secret("tokentoken"))
    redactor.learn(Secret("tokentokentoken"))
    #expect(redactor.redacted("tokentokentoken") == "•••")
  }

  private static func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bits = text.utf8.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
    return String(
      stride(from: 0, to: bits.count, by: 6).map { start in
        let six = (0..<6).map { start + $0 < bits.count ? Int(bits[start + $0]) : 0 }
        return alphabet[six.reduce(0) { $0 << 1 | $1 }]
      })
  }
}
