import Foundation
import Glibc
import JourneySupport
import TestSupport

/// A client that asks for a file and then reads no more of it than the beginning, from a socket that has
/// hardly any room: the rest waits at the gateway.
final class SlowReader: Sendable {
  private let descriptor: Int32
  /// Of the body, as announced.
  private let length: Int
  private let begun: [UInt8]

  private static let blank = Array("\r\n\r\n".utf8)

  /// As the trusted proxy asks for the visitor, with the visitor's cookies.
  init(_ visitor: Visitor, _ path: String, basic: String? = nil) async throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var (room, patience) = (Int32(2048), timeval(tv_sec: 20, tv_usec: 0))
    unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, 4)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(visitor.gateway.port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var head = "GET /lib\(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
    head += "X-Forwarded-For: \(visitor.address)\r\n"
    if let basic { head += "Authorization: Basic \(Data(basic.utf8).base64EncodedString())\r\n" }
    let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    if basic == nil, !cookies.isEmpty { head += "Cookie: \(cookies)\r\n" }
    let bytes = Array((head + "\r\n").utf8)
    guard code == 0, unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else {
      close(socket)
      throw TestSupportError("nothing can be sent")
    }
    let came = await Self.onThread {
      var bytes: [UInt8] = []
      while bytes.firstRange(of: Self.blank) == nil, let more = Self.receive(socket, 256) {
        bytes += more
      }
      return bytes
    }
    let body = came.firstRange(of: Self.blank)?.upperBound ?? came.endIndex
    let answer = String(decoding: came[..<body], as: UTF8.self)
    guard answer.hasPrefix("HTTP/1.1 200 "),
      let length = answer.firstMatch(of: /\r\nContent-Length: ([0-9]+)/).flatMap({ Int($0.1) }),
      // What is smaller would be taken whole by the two kernels.
      length > 16 << 10
    else {
      close(socket)
      throw TestSupportError("no file: \(answer.prefix(400))")
    }
    (descriptor, self.length) = (socket, length)
    begun = Array(came[body...])
  }

  deinit { close(descriptor) }

  /// Whether the gateway broke the connection off; an orderly end is none.
  var isBroken: Bool {
    var asked = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&asked, 1, 0) == 1 && Int32(asked.revents) & POLLERR != 0
  }

  /// Reads on; whether everything came that was announced.
  func finishes() async -> Bool {
    await body().count == length
  }

  /// Reads on; everything that came.
  func body() async -> [UInt8] {
    let (descriptor, length, begun) = (descriptor, length, begun)
    return await Self.onThread {
      var room = Int32(1 << 20)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
      var bytes = begun
      bytes.reserveCapacity(length)
      while bytes.count < length, let more = Self.receive(descriptor, 1 << 16) { bytes += more }
      return bytes
    }
  }

  /// Nil at the end, and where nothing comes.
  private static func receive(_ descriptor: Int32, _ most: Int) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: most)
    let count = unsafe recv(descriptor, &room, most, 0)
    return count > 0 ? Array(room[..<count]) : nil
  }

  private static func onThread<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: work()) }
    }
  }
}
