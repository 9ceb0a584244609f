/// Bytes that never change, at an address that never changes, so that the kernel can be fed from
/// them while other threads read them too.
@safe package final class SharedBytes: @unchecked Sendable {
  // Written in the initializer only; freed when the last holder lets go.
  private let start: UnsafeMutableRawPointer
  package let count: Int

  package init(_ bytes: [UInt8]) {
    count = bytes.count
    unsafe start = .allocate(byteCount: max(bytes.count, 1), alignment: 16)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: start, count: source.count).copyMemory(
        from: source)
    }
  }

  deinit { unsafe start.deallocate() }

  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    unsafe body(UnsafeRawBufferPointer(start: start, count: count))
  }

  package func copy(_ range: Range<Int>) -> [UInt8] {
    unsafe withBytes { unsafe [UInt8]($0[range]) }
  }

  package var bytes: [UInt8] { copy(0..<count) }
}
