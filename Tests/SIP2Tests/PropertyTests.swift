import Testing
import Text

@testable import SIP2

/// The same numbers in every run.
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func message() -> Message {
    let kind = MessageKind.allCases.randomElement(using: &self) ?? .login
    var parts: [FixedPart: String] = [:]
    for part in kind.fixedParts {
      parts[part] =
        part.isDate
        ? ["20261120    143005", "20240229   Z000000", "198001010000235959"]
          .randomElement(using: &self)
        : String((0..<part.length).map { _ in "YN 0123".randomElement(using: &self) ?? " " })
    }
    let fields = (0..<Int.random(in: 0...12, using: &self)).map { _ in field() }
    return Message(kind, parts, fields)
  }

  private mutating func field() -> Message.Field {
    let capitals = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    let first = capitals.randomElement(using: &self) ?? 0x41
    let second = (capitals + Array("0123456789".utf8)).randomElement(using: &self) ?? 0x41
    let letters = Array("abc XYZ 0189 äöüßÉéñ&#;.,-")
    let value = (0..<Int.random(in: 0...30, using: &self)).map { _ in
      letters.randomElement(using: &self) ?? " "
    }
    // The two that stand at the end are no fields.
    let code = FieldCode(first, second) ?? .patron
    return Message.Field([.sequence, .checksum].contains(code) ? .patron : code, String(value))
  }
}

@Suite struct `Reading and printing` {
  @Test(arguments: MessageKind.allCases)
  func `Reading and printing are each other's inverse for every kind`(kind: MessageKind) throws {
    var chance = Chance(state: 7)
    var seen = 0
    while seen < 20 {
      let message = chance.message()
      guard message.kind == kind else { continue }
      seen += 1
      for charset in [Charset.codePage850, .latin1, .utf8] {
        var wire = Wire()
        wire.charset = charset
        let digit = seen % 3 == 0 ? nil : seen % 10
        let bytes = try message.bytes(as: wire, sequence: digit)
        let frame = try Frame(reading: bytes, as: wire)
        #expect(frame.message == message)
        #expect(frame.sequence == digit)
        #expect(frame.checksum == .right)
        #expect(frame.isWhole)
        #expect(try frame.message.bytes(as: wire, sequence: frame.sequence) == bytes)
      }
    }
  }

  @Test func `Reading and printing survive twenty thousand spoiled lines`() throws {
    var chance = Chance(state: 2026)
    let charsets = Charset.allCases
    let start = ContinuousClock.now
    for round in 0..<20_000 {
      var wire = Wire()
      wire.charset = charsets[round % charsets.count]
      let message = chance.message()
      var bytes = (try? message.bytes(as: wire, sequence: round % 10)) ?? [0x39, 0x34]
      chance.spoil(&bytes)
      guard let frame = try? Frame(reading: bytes, as: wire) else { continue }
      // Whatever was read has a meaning, and can be written down again without growing teeth.
      _ = PatronRecord(frame.message)
      _ = SignIn(frame.message, asking: .required)
      _ = ItemRecord(frame.message)
      _ = HoldAnswer(frame.message)
      _ = ServiceStatus(frame.message).supports(.hold)
      if let again = try? frame.message.bytes(as: wire, sequence: 1) {
        #expect(!again.contains { $0 < 0x20 })
        let second = try Frame(reading: again, as: wire)
        #expect(second.checksum == .right)
        #expect(second.message.kind == frame.message.kind)
      }
    }
    #expect(start.duration(to: .now) < .seconds(120))
  }
}

extension Chance {
  fileprivate mutating func spoil(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<7, using: &self) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
      case 1: bytes.removeSubrange(place...)
      case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
      case 3: bytes += bytes[place...]
      case 4: bytes.remove(at: place)
      case 5: bytes.insert(contentsOf: Array("|AY1AZ|".utf8), at: place)
      default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      }
    }
  }
}
