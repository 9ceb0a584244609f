import CUnistring
import Glibc

/// What the C library does with bytes faster than a loop.
package enum ByteSearch {
  /// Where `wanted` begins, at or after `start`; nil where it is not.
  package static func first(of wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard !wanted.isEmpty, start >= 0, start + wanted.count <= bytes.count else { return nil }
    let found = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe wanted.withUnsafeBufferPointer { wanted in
        guard let base = bytes.baseAddress, let key = wanted.baseAddress else { return -1 }
        return unsafe carrel_first(base + start, bytes.count - start, key, wanted.count)
      }
    }
    return found < 0 ? nil : start + found
  }

  /// Where this byte stands first in the range; nil where it does not.
  package static func first(_ wanted: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let start = unsafe base + range.lowerBound
      return unsafe memchr(start, Int32(wanted), range.count).map {
        unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base)
      }
    }
  }

  /// Whether these bytes stand in the text somewhere.
  package static func holds(_ text: String, _ wanted: String) -> Bool {
    var (text, wanted) = (text, wanted)
    return text.withUTF8 { bytes in
      unsafe wanted.withUTF8 { wanted in
        guard let key = wanted.baseAddress, !wanted.isEmpty else { return true }
        guard let base = bytes.baseAddress else { return false }
        return unsafe carrel_first(base, bytes.count, key, wanted.count) >= 0
      }
    }
  }
}
