/// `Content-Range: bytes 5-9/10` (RFC 9110 §14.4).
struct SatisfiedRange {
  let first: Int
  let last: Int
  /// Nil where the server does not know it.
  let total: Int?

  init?(_ field: String?) {
    guard let words = rangeWords(field), words.count == 3, let first = rangeNumber(words[0]),
      let last = rangeNumber(words[1]), first <= last
    else { return nil }
    if words[2] == "*" {
      total = nil
    } else {
      guard let total = rangeNumber(words[2]), last < total else { return nil }
      self.total = total
    }
    self.first = first
    self.last = last
  }
}

/// `Content-Range: bytes */10`, the answer to a range beyond the end.
struct UnsatisfiedRange {
  let total: Int

  init?(_ field: String?) {
    guard let words = rangeWords(field), words.count == 2, words[0] == "*",
      let total = rangeNumber(words[1])
    else { return nil }
    self.total = total
  }
}

/// The parts between blank, hyphen and slash, behind the unit.
private func rangeWords(_ field: String?) -> [Substring]? {
  guard let field, field.utf8.count <= 80 else { return nil }
  let halves = field.split(separator: " ", omittingEmptySubsequences: true)
  guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
  return halves[1].split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
}

private func rangeNumber(_ text: Substring) -> Int? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int(text)
}
