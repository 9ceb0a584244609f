/// What reads what others wrote. Whatever the bytes are, it ends in a value or in a typed refusal; what
/// can be told of the value is told as well, by a trap: a test names the input, and so does libFuzzer
/// (`scripts/fuzz`), which runs each of these by its name.
struct Parser: Sendable {
  let name: String
  let read: @Sendable ([UInt8]) -> Void

  init(_ name: String, _ read: @escaping @Sendable ([UInt8]) -> Void) {
    (self.name, self.read) = (name, read)
  }

  static let outside = formats + pages + files + heads + messages + books + documents + answers
}
