import Text

// The text that is asserted around a place, white space collapsed and elements ignored.
extension SourceTree {
  func checked(_ found: Found, _ assertion: CFI.Assertion?) -> Found? {
    let before = assertion?.before?.collapsed ?? ""
    let after = assertion?.after?.collapsed ?? ""
    guard !before.isEmpty || !after.isEmpty, nodes[found.node].isText else { return found }
    if agrees(found.offset, before, after) { return found }
    guard let moved = nearest(to: found.offset, before, after) else { return nil }
    return Found(node: textNode(at: moved) ?? found.node, offset: moved, isExact: false)
  }

  private func agrees(_ offset: Int, _ before: String, _ after: String) -> Bool {
    let reach = 4 * (before.utf8.count + after.utf8.count) + 64
    let start = boundary(max(0, offset - reach))
    let end = boundary(min(text.count, offset + reach))
    let left = String(decoding: text[start..<offset], as: UTF8.self).collapsed
    let right = String(decoding: text[offset..<end], as: UTF8.self).collapsed
    return left.hasEnd(before) && right.hasBeginning(after)
  }

  private func boundary(_ place: Int) -> Int {
    var place = place
    while place > 0, place < text.count, Scalars.continues(text[place]) { place -= 1 }
    return place
  }

  /// Where the text stands now, if it stands anywhere; of several places the closest.
  private func nearest(to offset: Int, _ before: String, _ after: String) -> Int? {
    var collapsed: [UInt8] = []
    var origins: [Int] = []
    collapsed.reserveCapacity(text.count)
    origins.reserveCapacity(text.count)
    for (place, byte) in text.enumerated() {
      let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
      if isBlank, collapsed.last == 0x20 { continue }
      collapsed.append(isBlank ? 0x20 : byte)
      origins.append(place)
    }
    let wanted = Array((before + after).utf8)
    // Three letters stand everywhere.
    guard wanted.count >= 4 else { return nil }
    var best: Int?
    var from = 0
    while let found = ByteSearch.first(of: wanted, in: collapsed, from: from) {
      let middle = found + before.utf8.count
      let place = middle < origins.count ? origins[middle] : text.count
      if best.map({ abs($0 - offset) > abs(place - offset) }) ?? true { best = place }
      from = found + 1
    }
    return best
  }
}

extension String {
  /// Runs of white space as one blank each.
  var collapsed: String {
    var out: [UInt8] = []
    for byte in utf8 {
      let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
      if !isBlank { out.append(byte) } else if out.last != 0x20 { out.append(0x20) }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Byte for byte, blanks at the edges left out of account: `hasSuffix` takes two letters apart
  /// for different where an accent follows.
  fileprivate func hasEnd(_ text: String) -> Bool {
    Array(utf8).reversed().starts(with: Array(text.utf8).reversed())
      || Array(utf8).reversed().drop { $0 == 0x20 }
        .starts(with: Array(text.utf8).reversed().drop { $0 == 0x20 })
  }

  fileprivate func hasBeginning(_ text: String) -> Bool {
    utf8.starts(with: text.utf8)
      || utf8.drop { $0 == 0x20 }.starts(with: text.utf8.drop { $0 == 0x20 })
  }
}
