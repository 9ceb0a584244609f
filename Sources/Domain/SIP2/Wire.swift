package import Text

/// How one library's side writes its messages: every cell of this may differ from library to library.
package struct Wire: Sendable, Hashable {
  package var charset = Charset.codePage850
  package var terminator = Terminator.carriageReturn
  package var separator = UInt8(ascii: "|")
  package var errorDetection = ErrorDetection.lenient

  package init() {}

  package enum Terminator: String, Sendable, Hashable, CaseIterable {
    case carriageReturn = "cr"
    case carriageReturnLineFeed = "crlf"

    package var bytes: [UInt8] { self == .carriageReturn ? [0x0D] : [0x0D, 0x0A] }
  }

  package enum ErrorDetection: String, Sendable, Hashable, CaseIterable {
    /// Nothing is numbered or summed up.
    case off
    /// Asked for by using it; an answer without is taken.
    case lenient
    /// An answer without is refused.
    case strict
  }

  /// The most of one message that is read, and that is sent.
  package static let longestIn = 64 << 10
  package static let longestOut = 8 << 10

  /// Whether it may stand between fields: not a letter or digit, nor what a date or name needs.
  package static func canSeparate(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2A, 0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}

/// Why bytes are no message, or a message cannot be made bytes. Never with a value in it.
package enum WireFault: Error, Sendable, Hashable {
  case empty
  case tooLong(most: Int)
  /// Two characters that begin no message.
  case unknownMessage
  /// It ends within its fixed part.
  case truncated(MessageKind)
  /// The fixed part is not what it ought to be: most often one that is too long or too short.
  case misshapen(FixedPart)
  /// Text stands where the first field should begin.
  case strayText(MessageKind)
  /// The charset has no such letter: a name or a password with it cannot be right.
  case unwritable(FieldCode)
  /// A character that would end the field or the message.
  case forbiddenCharacter(FieldCode)
}

/// A message with what surrounds it on the wire.
package struct Frame: Sendable, Hashable {
  package let message: Message
  /// The digit that tells which request it belongs to.
  package let sequence: Int?
  package let checksum: Verdict
  /// Whether every byte meant something. A name that lost a letter is still the same reader's.
  package let isWhole: Bool

  package enum Verdict: Sendable, Hashable {
    case absent
    case right
    case wrong(said: UInt16, computed: UInt16)
  }

  /// The value that makes the sum of all bytes zero.
  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt16 {
    0 &- bytes.reduce(UInt16(0)) { $0 &+ UInt16($1) }
  }
}
