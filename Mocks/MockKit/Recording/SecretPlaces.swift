/// Where secrets stand in a text that is no JSON: `pin=1234`, `"pin": "1234"`, `<pin>1234</pin>`,
/// `<input name="pin" value="1234">`, `Bearer …`, and tokens that are signed documents.
struct SecretPlaces {
  private let bytes: [UInt8]
  private let scope: SecretNames.Scope
  private(set) var places: [Range<Int>] = []

  init(_ bytes: [UInt8], _ scope: SecretNames.Scope) { (self.bytes, self.scope) = (bytes, scope) }

  mutating func find() {
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<") {
        element(at: index)
        index += 1
      } else if Sign.isWord(bytes[index]) {
        let end = self.end(of: index, while: Sign.isWord)
        index = max(word(index..<end), index + 1)
      } else {
        index += 1
      }
    }
    places.sort { $0.lowerBound < $1.lowerBound }
  }

  /// Looks at one word and what follows; gives where to go on.
  private mutating func word(_ range: Range<Int>) -> Int {
    if let long = scheme(range) { return long }
    // A signed token is three runs of base64 with dots between, and begins as `{"` does.
    if range.count > 8, bytes[range].starts(with: "eyJ".utf8) {
      let end = self.end(of: range.lowerBound) { Sign.isWord($0) || $0 == UInt8(ascii: ".") }
      places.append(range.lowerBound..<end)
      return end
    }
    guard range.count <= 40, let value = value(after: range), !value.isEmpty else {
      return range.upperBound
    }
    let name = text(range)
    let isParameter =
      range.lowerBound == 0 || "?&;#".utf8.contains(bytes[range.lowerBound - 1])
    let isForm = isParameter && bytes[range.upperBound] == UInt8(ascii: "=")
    let isSecret =
      isForm ? SecretNames.promiseInForm(name, in: scope) : SecretNames.promise(name, in: scope)
    guard isSecret else { return range.upperBound }
    if let scheme = scheme(value) { return scheme }
    places.append(value)
    return value.upperBound
  }

  /// `Bearer` or `Basic` and a word long enough for credentials.
  private mutating func scheme(_ range: Range<Int>) -> Int? {
    let first = self.end(of: range.lowerBound, while: Sign.isWord)
    guard first < bytes.count, bytes[first] == 0x20 else { return nil }
    let name = text(range.lowerBound..<first).lowercased()
    guard name == "bearer" || name == "basic" else { return nil }
    let end = self.end(of: first + 1) { Sign.isWord($0) || "+/=.~".utf8.contains($0) }
    guard end - first > 8 else { return nil }
    places.append(first + 1..<end)
    return end
  }

  /// The value behind `name=`, `name":`, `name =`, up to its quote or to what ends a value.
  private func value(after name: Range<Int>) -> Range<Int>? {
    var index = name.upperBound
    if index < bytes.count, Self.quotes.contains(bytes[index]) { index += 1 }
    index = end(of: index, while: Sign.isBlank)
    guard index < bytes.count,
      bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: ":")
    else { return nil }
    index = end(of: index + 1, while: Sign.isBlank)
    guard index < bytes.count else { return nil }
    let quote = bytes[index]
    if Self.quotes.contains(quote) {
      return index + 1..<end(of: index + 1) { $0 != quote }
    }
    return index..<end(of: index) { !Sign.isBlank($0) && !"&#\"'<>;,}]".utf8.contains($0) }
  }

  private static let quotes: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "'")]

  private mutating func element(at start: Int) {
    let from = start + 1
    var name = from..<end(of: from, while: Sign.isWord)
    if name.upperBound < bytes.count, bytes[name.upperBound] == UInt8(ascii: ":") {
      name = name.upperBound + 1..<end(of: name.upperBound + 1, while: Sign.isWord)
    }
    let close = end(of: name.upperBound) { $0 != UInt8(ascii: ">") }
    guard !name.isEmpty, close < bytes.count else { return }
    if text(name).lowercased() == "input" {
      input(name.upperBound..<close)
      return
    }
    guard bytes[close - 1] != UInt8(ascii: "/"), SecretNames.promise(text(name), in: scope) else {
      return
    }
    var content = close + 1..<end(of: close + 1) { $0 != UInt8(ascii: "<") }
    let opening = Array("<![CDATA[".utf8)
    if bytes[content.upperBound...].starts(with: opening) {
      let inside = content.upperBound + opening.count
      content = inside..<end(of: inside) { $0 != UInt8(ascii: "]") }
    }
    if !content.isEmpty { places.append(content) }
  }

  /// The value of a form's field whose name promises a secret.
  private mutating func input(_ tag: Range<Int>) {
    var (isSecret, value): (Bool, Range<Int>?) = (false, nil)
    var index = tag.lowerBound
    while index < tag.upperBound {
      guard Sign.isWord(bytes[index]) else {
        index += 1
        continue
      }
      let name = index..<end(of: index, while: Sign.isWord)
      index = name.upperBound
      guard let found = self.value(after: name), found.upperBound <= tag.upperBound else {
        continue
      }
      index = found.upperBound
      switch text(name).lowercased() {
      case "name": isSecret = SecretNames.promiseInForm(text(found), in: scope)
      case "value": value = found
      default: break
      }
    }
    if isSecret, let value, !value.isEmpty { places.append(value) }
  }

  private func end(of start: Int, while holds: (UInt8) -> Bool) -> Int {
    var index = start
    while index < bytes.count, holds(bytes[index]) { index += 1 }
    return index
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
