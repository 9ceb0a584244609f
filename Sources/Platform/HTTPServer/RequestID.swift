/// Names one request in logs and answers. Made of a random half per loop and a count, so that
/// making one costs nothing; text only when somebody wants to read it.
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
  private enum Origin: Sendable, Hashable {
    case counted(UInt64, UInt64)
    case given(String)
  }

  private let origin: Origin

  init(loop: UInt64, count: UInt64) { origin = .counted(loop, count) }

  package init(_ text: String) { origin = .given(text) }

  package var description: String {
    switch origin {
    case .given(let text): text
    case .counted(let loop, let count): RequestID.hex(loop) + RequestID.hex(count)
    }
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
