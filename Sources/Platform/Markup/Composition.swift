@_spi(_Unicode) import Swift

extension String {
  /// The same text with every letter and its accents as one character, as far as there is one (NFC):
  /// small readers draw what comes, and compare byte by byte.
  package var composed: String {
    // Nothing below U+0300 combines with what stands before it.
    if utf8.allSatisfy({ $0 < 0xCC }) { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in _nfc { scalars.append(scalar) }
    return String(scalars)
  }
}
