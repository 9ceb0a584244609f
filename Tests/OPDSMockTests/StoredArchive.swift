/// The files of an archive without compression, by their names, as its directory has them.
struct StoredArchive {
  private(set) var names: [String] = []
  private var files: [String: [UInt8]] = [:]

  init?(_ bytes: [UInt8]) {
    func number(_ at: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    // The end of the directory, which has no comment behind it.
    let end = bytes.count - 22
    guard end >= 0, number(end, 4) == 0x0605_4B50 else { return nil }
    var at = number(end + 16, 4)
    for _ in 0..<number(end + 10, 2) {
      guard number(at, 4) == 0x0201_4B50, number(at + 10, 2) == 0 else { return nil }
      let (size, length, start) = (number(at + 20, 4), number(at + 28, 2), number(at + 42, 4))
      let name = String(decoding: bytes[(at + 46)..<(at + 46 + length)], as: UTF8.self)
      guard number(start, 4) == 0x0403_4B50 else { return nil }
      let body = start + 30 + number(start + 26, 2) + number(start + 28, 2)
      names.append(name)
      files[name] = Array(bytes[body..<(body + size)])
      at += 46 + length + number(at + 30, 2) + number(at + 32, 2)
    }
  }

  subscript(_ name: String) -> [UInt8]? { files[name] }
}
