import Text

/// An answer under way: signs of fixed place, then fields, in the letters of the library.
struct LineReply {
  private let habit: Habit
  private(set) var bytes: [UInt8]

  init(_ head: String, in habit: Habit) {
    self.habit = habit
    bytes = Array(head.utf8)
  }

  mutating func add(_ code: String, _ text: String) {
    let safe =
      habit.escapesSeparators
      ? text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "&#124;")
      : text
    add(code, habit.charset.bytes(of: safe) ?? Array("?".utf8))
  }

  mutating func add(_ code: String, _ value: [UInt8]) {
    bytes += code.utf8
    bytes += value
    bytes.append(UInt8(ascii: "|"))
  }

  mutating func add(flag code: String, _ value: Bool?) {
    if let value { add(code, value ? "Y" : "N") }
  }

  /// With number and sum, where the question had them.
  static func sealed(_ body: [UInt8], number: UInt8?, isSummed: Bool) -> [UInt8] {
    guard isSummed else { return body }
    var bytes = body
    if let number { bytes += Array("AY".utf8) + [number] }
    bytes += "AZ".utf8
    let sum = String(0 &- LineQuestion.sum(bytes), radix: 16, uppercase: true)
    return bytes + Array(String(repeating: "0", count: 4 - sum.utf8.count).utf8) + Array(sum.utf8)
  }
}
