import CUnistring

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

  /// Whether the bytes are UTF-8 from beginning to end.
  package static func isUTF8(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe u8_check(base, bytes.count) == nil
    }
  }
}
