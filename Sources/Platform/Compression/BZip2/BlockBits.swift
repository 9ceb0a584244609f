/// Bits from the front of packed bytes, the highest of a byte first. Behind the end come zeros; who
/// reads has to ask how far it came.
@safe struct BlockBits {
  private let base: UnsafePointer<UInt8>
  private let count: Int
  private var next = 0
  /// The bits to come, the first of them highest.
  private(set) var register: UInt64 = 0
  private var held = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, skipping bits: Int) {
    // An empty buffer has no address; its bytes are never looked at.
    unsafe base = bytes.baseAddress ?? UnsafePointer(bitPattern: 8)!
    count = bytes.count
    refill()
    drop(bits)
  }

  /// How many have been read, those skipped included.
  var position: Int { next * 8 - held }

  /// Makes the register hold at least 56.
  @inline(__always)
  mutating func refill() {
    if next + 8 <= count {
      let word = unsafe UnsafeRawPointer(base + next).loadUnaligned(as: UInt64.self).bigEndian
      register |= word >> UInt64(held)
      next += (63 - held) >> 3
      held |= 56
    } else {
      while held <= 56 {
        let byte = unsafe next < count ? base[next] : 0
        register |= UInt64(byte) << UInt64(56 - held)
        next += 1
        held += 8
      }
    }
  }

  @inline(__always)
  mutating func drop(_ bits: Int) {
    register <<= UInt64(bits)
    held -= bits
  }

  /// Up to 32 of them.
  mutating func take(_ bits: Int) -> Int {
    refill()
    let value = Int(register >> UInt64(64 - bits))
    drop(bits)
    return value
  }

  mutating func takeFlag() -> Bool { take(1) == 1 }
}
