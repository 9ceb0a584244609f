import Glibc

/// Rows like those of a catalog, the same for every run: a number, texts of different lengths, some of
/// them in quotes or not ASCII, and dates as numbers.
func writeRows(_ count: Int) {
  var random = Noise(state: 42)
  let words = [
    "the", "owl", "of", "night", "library", "été", "a", "garden", "and", "sea", "winter",
  ]
  let languages = ["en", "fr", "de", "es"]
  var buffer: [UInt8] = []
  for number in 0..<count {
    let title = (0..<(2 + random.next(6))).map { _ in words[random.next(words.count)] }
    let quote = random.next(8) == 0
    let author = "\(words[random.next(words.count)]) \(words[random.next(words.count)])"
    buffer += "\(number),".utf8
    buffer +=
      (quote
      ? "\"\(title.joined(separator: " ")), or \"\"\(author)\"\"\","
      : "\(title.joined(separator: " ")),").utf8
    buffer +=
      "\(author),\(languages[random.next(4)]),\(1_400_000_000_000 + random.next(200_000_000)),".utf8
    buffer += "978\(1_000_000_000 + random.next(999_999_999))\n".utf8
    if buffer.count > 1 << 20 || number == count - 1 {
      writeAll(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
  }
}

private func writeAll(_ bytes: [UInt8]) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
    guard count > 0 else { exit(1) }
    rest = rest.dropFirst(count)
  }
}

/// A linear congruential generator: chance that repeats itself.
struct Noise {
  var state: UInt64

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
