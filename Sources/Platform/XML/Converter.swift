import CXML2
import Glibc

/// The C library's converter to UTF-8, for the encodings nobody should still use and some
/// catalogs do.
///
/// `@unchecked Sendable` is not claimed: a converter has state and belongs to one decoder.
@safe final class Converter {
  enum End { case done, incomplete, invalid }

  private let handle: iconv_t

  init?(from name: String) {
    let opened = unsafe iconv_open("UTF-8", name)
    guard let opened = unsafe opened, unsafe opened != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    unsafe handle = opened
  }

  deinit { unsafe iconv_close(handle) }

  /// Converts as much as possible, and says why it stopped.
  func convert(_ bytes: ArraySlice<UInt8>, into out: inout [UInt8]) -> (used: Int, end: End) {
    var source = bytes.map { CChar(bitPattern: $0) }
    var target = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var (left, room) = (source.count, target.count)
    let failure: Int32 = unsafe source.withUnsafeMutableBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        var (from, to) = (source.baseAddress, target.baseAddress)
        let result = unsafe iconv(handle, &from, &left, &to, &room)
        return result == -1 ? errno : 0
      }
    }
    out += target[..<(target.count - room)].lazy.map { UInt8(bitPattern: $0) }
    let end: End = failure == 0 ? .done : failure == EINVAL ? .incomplete : .invalid
    return (bytes.count - left, end)
  }
}
