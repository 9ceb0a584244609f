import Glibc

/// The text of a dictionary, whose first line names its encoding.
enum DictionaryText {
  static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    let end = bytes.firstIndex(of: 0x0A) ?? bytes.count
    let name = String(decoding: bytes[..<end], as: UTF8.self).filter { !$0.isWhitespace }
    guard !name.isEmpty, name.utf8.count < 20, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    if name == "UTF-8" { return bytes }
    // The dictionaries write a hyphen less than the rest of the world.
    let known = name.hasPrefix("ISO8859") ? "ISO-" + name.dropFirst(3) : name
    guard let rules = converted(bytes[end...], from: known) else { return nil }
    return Array("UTF-8".utf8) + rules
  }

  private static func converted(_ bytes: ArraySlice<UInt8>, from name: String) -> [UInt8]? {
    let opened = unsafe iconv_open("UTF-8", name)
    guard let converter = unsafe opened, unsafe converter != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    defer { unsafe iconv_close(converter) }
    var source = bytes.map { CChar(bitPattern: $0) }
    var target = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var (left, room) = (source.count, target.count)
    let result = unsafe source.withUnsafeMutableBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        var (from, to) = unsafe (source.baseAddress, target.baseAddress)
        return unsafe iconv(converter, &from, &left, &to, &room)
      }
    }
    guard result != -1 else { return nil }
    return target[..<(target.count - room)].map { UInt8(bitPattern: $0) }
  }
}
