import Glibc

/// A port that was free a moment ago, for a program that has to be told one. It lies below those that
/// the system hands out by itself: a connection of some other test, or one that has just ended, may hold
/// any of those.
package func sparePort() throws -> Int {
  for _ in 0..<100 {
    let port = UInt16.random(in: 10_000..<32_768)
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isFree = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isFree { return Int(port) }
  }
  throw RawServer.ServerFault.noPort
}
