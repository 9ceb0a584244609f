import Glibc

/// The records of a CSV text, quoted fields included, one at a time in the same memory.
struct CSVRecords: Sequence, IteratorProtocol {
  /// The unquoted fields of one record, back to back.
  struct Record {
    fileprivate(set) var bytes: [UInt8] = []
    fileprivate var ends: [Int] = []

    func place(of field: Int) -> Range<Int> {
      (field == 0 ? 0 : ends[field - 1])..<ends[field]
    }

    func integer(_ field: Int) -> Int {
      place(of: field).reduce(0) { number, index in number * 10 + Int(bytes[index] & 15) }
    }
  }

  private let text: [UInt8]
  private var position = 0
  private var record = Record()

  init(_ text: [UInt8]) {
    self.text = text
  }

  mutating func next() -> Record? {
    guard position < text.count else { return nil }
    record.bytes.removeAll(keepingCapacity: true)
    record.ends.removeAll(keepingCapacity: true)
    var separator = UInt8(ascii: ",")
    while separator == UInt8(ascii: ",") {
      if position < text.count, text[position] == UInt8(ascii: "\"") { readQuotes() }
      let start = position
      position = end(of: start)
      record.bytes += text[start..<position]
      record.ends.append(record.bytes.count)
      separator = position < text.count ? text[position] : UInt8(ascii: "\n")
      position += 1
    }
    return record
  }

  /// Where the next comma or line feed is.
  private func end(of start: Int) -> Int {
    var index = start
    while index < text.count, text[index] != UInt8(ascii: ","), text[index] != UInt8(ascii: "\n") {
      index += 1
    }
    return index
  }

  /// Two quotes in a row stand for one.
  private mutating func readQuotes() {
    position += 1
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < text.count, text[position] == byte else { return }
        position += 1
      }
      record.bytes.append(byte)
    }
  }
}

struct UnreadableFile: Error {}

func contents(of path: String) throws -> [UInt8] {
  guard let file = unsafe fopen(path, "r") else { throw UnreadableFile() }
  defer { unsafe fclose(file) }
  unsafe fseek(file, 0, SEEK_END)
  let size = unsafe ftell(file)
  unsafe rewind(file)
  return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = unsafe fread(buffer.baseAddress, 1, size, file)
  }
}
