import Foundation
import Glibc
import TestSupport

/// Puts TLS before a scripted server: `openssl s_server` with its input and output joined to a
/// connection to that server. For one client.
final class TLSFront {
  let port: Int
  private let process = Process()

  init(before server: RawServer, _ certificate: WebServer.Certificate, of store: CertificateStore)
    throws
  {
    port = try sparePort()
    let inner = try connected(to: server.port)
    defer { close(inner) }
    let plain = FileHandle(fileDescriptor: inner, closeOnDealloc: false)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert",
      store.file("\(certificate.rawValue).pem"), "-key",
      store.file("\(certificate.rawValue).key"),
    ]
    process.standardInput = plain
    process.standardOutput = plain
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func stop() {
    // The runtime's threads block SIGTERM, and their children inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A listener that hands its one client on to the front, after an introduction in the clear.
  func behind(
    _ introduction: @escaping @Sendable (RawConnection) -> Bool = { _ in true }
  ) throws -> RawServer {
    let port = port
    return try RawServer { connection in
      guard introduction(connection) else { return }
      // The front may still be starting.
      var found: Int32?
      while found == nil { found = try? connected(to: port) }
      guard let outer = found else { return }
      let descriptor = connection.descriptor
      // Neither socket is closed before both ways are done: its number may be another's by then.
      let isAnswered = DispatchSemaphore(value: 0)
      startThread {
        pump(from: outer, to: descriptor)
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
        isAnswered.signal()
      }
      pump(from: descriptor, to: outer)
      _ = shutdown(outer, Int32(SHUT_RDWR))
      isAnswered.wait()
      close(outer)
    }
  }
}

struct CannotConnect: Error {}

/// A socket connected to a loopback port, or the failure to.
func connected(to port: Int) throws -> Int32 {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let code = unsafe withUnsafePointer(to: &address) {
    unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard code == 0 else {
    close(descriptor)
    throw CannotConnect()
  }
  return descriptor
}

private func pump(from source: Int32, to target: Int32) {
  var chunk = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = unsafe recv(source, &chunk, chunk.count, 0)
    guard count > 0, unsafe send(target, &chunk, count, Int32(MSG_NOSIGNAL)) == count else {
      return
    }
  }
}
