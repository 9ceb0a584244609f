import Secrets
import Testing

@testable import Log

@Suite struct `The redactor meets the encoders of this world` {
  let redactor = Redactor()

  init() { redactor.learn(Secret("pa/ss \"wört&1!'")) }

  @Test(arguments: [
    #"pa/ss \"wört&1!'"#, #"pa\/ss \"wört&1!'"#, #"pa/ss \"w\u00f6rt&1!'"#,
    #"pa\/ss \"w\u00F6rt&1!'"#, "pa/ss &quot;wört&amp;1!&apos;", "pa/ss \"wört&amp;1!&#39;",
    "pa/ss &#34;wört&amp;1!'", "pa%2Fss%20%22w%C3%B6rt%261!'", "pa/ss%20%22w%C3%B6rt&1!'",
    "pa%2Fss+%22w%C3%B6rt%261%21%27", "pa%2fss%20%22w%c3%b6rt%261%21%27",
  ])
  func `The redactor meets the encoders of this world and knows what each makes of a secret`(
    spelling: String
  ) {
    #expect(redactor.redacted("<\(spelling)>") == "<•••>")
  }

  @Test(arguments: ["4711", "47110", "hunter"], ["", "a", "ab", "card:", "29999001:"])
  func `the redactor finds even a short secret in a Basic header`(secret: String, before: String) {
    let redactor = Redactor()
    redactor.learn(Secret(secret))
    let text = Self.base64(before + secret)
    #expect(redactor.redacted("Authorization: Basic \(text)") == "Authorization: Basic •••")
    #expect(redactor.redacted("Authorization: Basic \(text)==") == "Authorization: Basic •••")
  }

  @Test func `the redactor finds a secret with surrogate pair escapes`() {
    let redactor = Redactor()
    redactor.learn(Secret("key\u{1F511}end"))
    #expect(redactor.redacted(#""key\ud83d\udd11end""#) == "\"•••\"")
  }

  @Test func `the redactor finds a secret of bytes that are not text`() {
    let redactor = Redactor()
    redactor.learn(Secret([0xFF, 0xFE, 0x00, 0x80, 0x41]))
    #expect(
      redactor.redacted([0x20, 0xFF, 0xFE, 0x00, 0x80, 0x41, 0x20])
        == [0x20] + Array("•••".utf8) + [0x20])
    #expect(redactor.redacted("fffe008041") == "•••")
  }

  @Test func `the redactor forgets one of two secrets that share a spelling and keeps the other`() {
    let redactor = Redactor()
    redactor.learn(Secret("abcdefgh"))
    redactor.learn(Secret("6162636465666768"))  // the hex of the first
    redactor.forget(Secret("abcdefgh"))
    #expect(redactor.redacted("6162636465666768 abcdefgh") == "••• abcdefgh")
    redactor.forget(Secret("6162636465666768"))
    #expect(redactor.redacted("6162636465666768") == "6162636465666768")
    #expect(redactor.redacted(Array("6162636465666768".utf8)) == nil)
  }

  @Test func `the redactor handles a long text with thousands of secrets`() {
    let redactor = Redactor()
    for number in 0..<300 { redactor.learn(Secret("token-\(number)-of-three-hundred")) }
    redactor.learn(Secret("4711"))
    // Copying what stands before each match, as once was done, took minutes for this.
    let text = String(repeating: "4711 and token-7-of-three-hundred; ", count: 3_000)
    #expect(redactor.redacted(text) == String(repeating: "••• and •••; ", count: 3_000))
  }

  @Test func `the redactor loses no secret that is learned while others read`() async {
    let redactor = Redactor()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          redactor.learn(Secret("secret-number-\(number)-x"))
          #expect(redactor.redacted("a secret-number-\(number)-x b") == "a ••• b")
        }
      }
    }
    for number in 0..<50 { #expect(redactor.redacted("secret-number-\(number)-x") == "•••") }
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

@Suite struct `A line stays well-formed` {
  let lines = Lines()

  @Test func `a JSON log line stays well-formed when a number is a secret`() {
    let log = lines.log(.json)
    log.redactor.learn(Secret("4711"))
    Logger(to: log).info("Counted", [.pair("count", 4711), .pair("other", -4712)])
    #expect(lines.all[0].hasSuffix(#""count":"•••","other":-4712}"# + "\n"))
  }

  @Test(arguments: LineFormat.allCases)
  func `a log pair named like a head field is renamed in the line`(format: LineFormat) {
    Logger(to: lines.log(format)).info("x", [.pair("level", "error"), .pair("time", "0")])
    #expect(lines.all[0].contains("level_") && lines.all[0].contains("time_"))
  }

  @Test func `a long log value is not cut inside a character`() {
    Logger(to: lines.log()).info("x", [.pair("text", "a" + String(repeating: "é", count: 5000))])
    #expect(!lines.all[0].contains("\u{FFFD}"))
    #expect(lines.all[0].contains("é… (10001 bytes)"))
  }

  @Test(arguments: ["\u{61C}", "\u{AD}", "\u{180E}", "\u{200D}", "\u{2066}", "\u{E0041}"])
  func `a JSON log line escapes invisible characters in a value`(mark: String) {
    Logger(to: lines.log(.json)).info("x", [.pair("text", "a\(mark)b")])
    #expect(!lines.all[0].contains(mark))
    #expect(lines.all[0].contains("\\u"))
  }
}
