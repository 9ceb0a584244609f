import Glibc

/// A socket address in the kernel's own form.
struct SocketAddress {
  private(set) var storage = sockaddr_storage()
  private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// To be filled by a call.
  init() {}

  init(_ address: IPAddress, port: Int) {
    if let v4 = address.v4 {
      var plain = sockaddr_in()
      plain.sin_family = sa_family_t(AF_INET)
      plain.sin_port = UInt16(port).bigEndian
      plain.sin_addr.s_addr = v4.bigEndian
      fill(plain)
    } else {
      var plain = sockaddr_in6()
      plain.sin6_family = sa_family_t(AF_INET6)
      plain.sin6_port = UInt16(port).bigEndian
      plain.sin6_addr = address.inet6
      fill(plain)
    }
  }

  init(path: String) throws(ServerError) {
    var plain = sockaddr_un()
    plain.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: plain.sun_path)
    guard bytes.count < room, !bytes.contains(0) else { throw .pathTooLong(path) }
    unsafe withUnsafeMutableBytes(of: &plain.sun_path) { unsafe $0.copyBytes(from: bytes) }
    fill(plain)
  }

  private mutating func fill<Plain>(_ plain: Plain) {
    length = socklen_t(MemoryLayout<Plain>.size)
    unsafe withUnsafeMutableBytes(of: &storage) {
      unsafe $0.storeBytes(of: plain, as: Plain.self)
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  var peer: Peer {
    switch family {
    case AF_INET:
      let plain = read(as: sockaddr_in.self)
      return .ip(
        IPAddress(v4: UInt32(bigEndian: plain.sin_addr.s_addr)),
        port: Int(UInt16(bigEndian: plain.sin_port)))
    case AF_INET6:
      let plain = read(as: sockaddr_in6.self)
      return .ip(IPAddress(plain.sin6_addr), port: Int(UInt16(bigEndian: plain.sin6_port)))
    default: return .unix
    }
  }

  private func read<Plain>(as type: Plain.Type) -> Plain {
    unsafe withUnsafeBytes(of: storage) { unsafe $0.loadUnaligned(as: Plain.self) }
  }

  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, length)
      }
    }
  }

  mutating func fill<R>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> R
  ) -> R {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe withUnsafeMutablePointer(to: &length) { unsafe body(address, $0) }
      }
    }
  }
}
