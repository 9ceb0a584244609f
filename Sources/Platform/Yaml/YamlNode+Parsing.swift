extension YamlNode {
  /// Reads the one document in a text, or says in plain words where and why it is none.
  package init(
    parsing bytes: [UInt8], limits: YamlLimits = YamlLimits()
  ) throws(YamlError) {
    guard bytes.count <= limits.bytes else {
      throw YamlError(.tooLarge(.bytes(limits.bytes)), at: .start)
    }
    let isWide = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]].contains {
      bytes.starts(with: $0)
    }
    guard !isWide else {
      let words = "the file is written in UTF-16 or UTF-32; save it as UTF-8"
      throw YamlError(.badEncoding(words), at: .start)
    }
    // Left in, the mark would count as a character of the first line.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    if let hidden = HiddenLineEnd(in: text) {
      let position = YamlPosition(ofByte: hidden.offset, in: text)
      throw YamlError(.badEncoding(hidden.words), at: position)
    }
    var builder = try TreeBuilder(text, limits: limits)
    self = try builder.document()
  }

  package init(
    parsing text: String, limits: YamlLimits = YamlLimits()
  ) throws(YamlError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}
