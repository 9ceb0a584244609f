import CUnistring

/// Where words begin and end (UAX 29).
package enum WordBreaks {
  /// Whether a word begins or ends at `index`, looking at what is around it.
  package static func isBoundary(_ index: Int, in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard index > range.lowerBound, index < range.upperBound else { return true }
    let reach = 128
    var start = max(range.lowerBound, index - reach)
    while start < index, Scalars.continues(bytes[start]) { start += 1 }
    var end = min(range.upperBound, index + reach)
    while end < range.upperBound, Scalars.continues(bytes[end]) { end += 1 }
    let flags = unsafe [CChar](unsafeUninitializedCapacity: end - start) { flags, count in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress, let flags = flags.baseAddress {
          unsafe u8_wordbreaks(base + start, end - start, flags)
        }
      }
      count = end - start
    }
    return flags[index - start] != 0
  }
}
