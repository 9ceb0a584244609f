import CUnistring

/// Where a line may end (UAX 14).
package enum LineBreaks {
  package enum Break: UInt8, Sendable, Hashable {
    /// A line may end before this byte.
    case possible
    /// It must end after the character that begins here.
    case mandatory
  }

  /// In the order of the text, by the byte they stand at.
  package static func all(in bytes: [UInt8], _ range: Range<Int>) -> [(at: Int, Break)] {
    guard !range.isEmpty else { return [] }
    let found = unsafe [CChar](unsafeUninitializedCapacity: range.count) { found, count in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress, let found = found.baseAddress {
          unsafe carrel_line_breaks(base + range.lowerBound, range.count, found)
        }
      }
      count = range.count
    }
    var breaks: [(at: Int, Break)] = []
    for (place, kind) in found.enumerated() {
      switch Int(kind) {
      case Int(UC_BREAK_POSSIBLE): breaks.append((range.lowerBound + place, .possible))
      case Int(UC_BREAK_MANDATORY): breaks.append((range.lowerBound + place, .mandatory))
      default: continue
      }
    }
    return breaks
  }
}
