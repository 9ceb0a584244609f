import CZlib

/// The checksum of gzip and ZIP, taken piece by piece.
package struct CRC32: Sendable, Hashable {
  package private(set) var value: UInt32 = 0

  package init() {}

  package init(_ bytes: [UInt8]) { update(bytes) }

  package mutating func update(_ bytes: [UInt8]) {
    value = unsafe bytes.withUnsafeBufferPointer { source in
      UInt32(truncatingIfNeeded: unsafe crc32_z(UInt(value), source.baseAddress, source.count))
    }
  }
}
