import Foundation
import Glibc
import HTTP
import HTTPServer

/// A client that sends exactly the bytes it is given, right or wrong. Its waiting is done on
/// threads of its own, because the pool that runs tests also runs the handlers they wait for.
final class RawClient: Sendable {
  struct Failure: Error { let what: String }

  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  let descriptor: Int32
  private let buffer = Buffer()

  /// Used by one test function at a time.
  private final class Buffer: @unchecked Sendable { var bytes: [UInt8] = [] }

  init(_ address: ListenAddress, receiveBuffer: Int32? = nil) throws {
    switch address {
    case .ip(let ip, let port):
      descriptor = socket(ip.v4 == nil ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      if var size = receiveBuffer {
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
      }
      if ip.v4 != nil {
        var plain = sockaddr_in()
        plain.sin_family = sa_family_t(AF_INET)
        plain.sin_port = UInt16(port).bigEndian
        plain.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try RawClient.connect(descriptor, plain)
      } else {
        var plain = sockaddr_in6()
        plain.sin6_family = sa_family_t(AF_INET6)
        plain.sin6_port = UInt16(port).bigEndian
        unsafe inet_pton(AF_INET6, "::1", &plain.sin6_addr)
        try RawClient.connect(descriptor, plain)
      }
    case .unix(let path, _):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var plain = sockaddr_un()
      plain.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &plain.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
      try RawClient.connect(descriptor, plain)
    case .inherited: throw Failure(what: "no address")
    }
    // A watchdog, not a measure: a test that would hang fails instead.
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  deinit { Glibc.close(descriptor) }

  private static func connect<Plain>(_ descriptor: Int32, _ address: Plain) throws {
    let code = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Plain>.size))
      }
    }
    if code != 0 {
      let reason = errno
      Glibc.close(descriptor)
      throw Failure(what: "connect: \(reason)")
    }
  }

  // MARK: Sending

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws {
    let sent = await elsewhere { self.sendNow(bytes) }
    guard sent == bytes.count else { throw Failure(what: "send stopped at \(sent)") }
  }

  /// How many bytes went; fewer when the server has closed.
  func sendNow(_ bytes: [UInt8]) -> Int {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return offset }
      offset += count
    }
    return offset
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes with a reset, as a client that crashed.
  func reset() {
    var hard = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    // Connecting to nowhere is how a socket is reset without giving its number away.
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    unsafe Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }

  // MARK: Receiving

  /// For a client that was slow to read on purpose, and now wants the rest.
  func openWide() {
    var size: Int32 = 1 << 20
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
  }

  /// Nil at the end of the stream.
  private func receive() async throws -> [UInt8]? {
    let (bytes, code) = await elsewhere { () -> ([UInt8], Int32) in
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe recv(self.descriptor, &room, room.count, 0)
      return count >= 0 ? (Array(room[..<count]), 0) : ([], errno)
    }
    if code == ECONNRESET || code == EPIPE { return nil }
    guard code == 0 else { throw Failure(what: "receive: \(code)") }
    return bytes.isEmpty ? nil : bytes
  }

  /// Everything until the server closes.
  func rest() async throws -> [UInt8] {
    while let bytes = try await receive() { buffer.bytes += bytes }
    defer { buffer.bytes = [] }
    return buffer.bytes
  }

  func restText() async throws -> String { String(decoding: try await rest(), as: UTF8.self) }

  func isClosed() async throws -> Bool { try await rest().isEmpty }

  /// Whether the server reset the connection; what has come before may still be there to be read.
  var isBroken: Bool {
    var asked = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&asked, 1, 0) == 1 && Int32(asked.revents) & POLLERR != 0
  }

  func take(_ count: Int) async throws -> [UInt8] {
    while buffer.bytes.count < count {
      guard let bytes = try await receive() else { throw Failure(what: "closed in a body") }
      buffer.bytes += bytes
    }
    defer { buffer.bytes.removeFirst(count) }
    return Array(buffer.bytes[..<count])
  }

  private func line() async throws -> String {
    while true {
      if let end = buffer.bytes.firstIndex(of: 0x0A) {
        defer { buffer.bytes.removeFirst(end + 1) }
        return String(decoding: buffer.bytes[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      guard let bytes = try await receive() else { throw Failure(what: "closed in a head") }
      buffer.bytes += bytes
    }
  }

  /// One answer; what follows stays for the next call.
  func answer(toHead: Bool = false) async throws -> Answer {
    let words = try await line().split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
      throw Failure(what: "no status line: \(words)")
    }
    var headers = Headers()
    while true {
      let text = try await line()
      if text.isEmpty { break }
      let cut = text.firstIndex(of: ":") ?? text.endIndex
      headers.add(
        String(text[..<cut]), text[cut...].dropFirst().trimmingCharacters(in: .whitespaces))
    }
    if toHead || status == 304 || status == 204 || status < 200 {
      return Answer(status: status, headers: headers, body: [])
    }
    if headers["Transfer-Encoding"] == "chunked" {
      var body: [UInt8] = []
      while true {
        guard let size = Int(try await line(), radix: 16) else { throw Failure(what: "no size") }
        body += try await take(size)
        _ = try await line()
        if size == 0 { return Answer(status: status, headers: headers, body: body) }
      }
    }
    let body =
      if let length = headers["Content-Length"].flatMap({ Int($0) }) {
        try await take(length)
      } else { try await rest() }
    return Answer(status: status, headers: headers, body: body)
  }

  func ask(_ text: String) async throws -> Answer {
    try await send(text)
    return try await answer()
  }

  func get(_ target: String, _ fields: String...) async throws -> Answer {
    let lines = (["GET \(target) HTTP/1.1", "Host: test"] + fields).joined(separator: "\r\n")
    return try await ask(lines + "\r\n\r\n")
  }
}

/// Runs what blocks on a thread of its own.
func elsewhere<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { done in
    Thread.detachNewThread { done.resume(returning: work()) }
  }
}
