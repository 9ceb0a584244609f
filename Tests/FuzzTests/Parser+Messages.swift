import Crypto
import Reading
import Registry
import SIP2
import Secrets
import Text

@testable import Adobe

/// What devices and other systems send.
extension Parser {
  static let messages = [
    Parser("sip2") { bytes in
      for charset in Charset.allCases {
        var wire = Wire()
        wire.charset = charset
        guard let frame = try? Frame(reading: bytes, as: wire) else { continue }
        _ = (PatronRecord(frame.message), SignIn(frame.message, asking: .required))
        _ = (ItemRecord(frame.message), HoldAnswer(frame.message), ServiceStatus(frame.message))
        guard let printed = try? frame.message.bytes(as: wire, sequence: 1) else { continue }
        precondition(!printed.contains { $0 < 0x20 })
        precondition((try? Frame(reading: printed, as: wire))?.checksum == .right)
      }
    },
    Parser("kosync") { bytes in
      guard let position = Position(koreader: bytes) else { return }
      precondition(Position.koreader(position.koreaderDocument ?? "") == position.document)
      _ = position.isSound
    },
    Parser("progression") { bytes in
      guard let position = Position(progression: bytes, in: "w1") else { return }
      precondition(position.document == "w1")
      _ = position.isSound
    },
    // What stands in fields for a name and a password.
    Parser("credentials") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = BasicPair(authorization: text)
      let secret = Secret("fuzz")
      _ = try? ClientToken.read(text, now: 0) { _ in secret }
      _ = WebToken(text, now: 2000) { _ in secret }
      if let decoded = AdobeAlphabet.decode(text) { _ = Hex.encode(decoded) }
    },
    Parser("adobe") { bytes in _ = VendorRequest(bytes) },
  ]
}
