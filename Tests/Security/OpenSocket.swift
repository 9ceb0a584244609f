import Foundation
import Glibc
import TestSupport

/// A socket to a gateway's port for clients that send half a request, and whose bytes are chosen one by one.
/// What waits for an answer does so on a thread of its own.
final class OpenSocket: Sendable {
  private let descriptor: Int32

  /// From an address of this machine, which is a network of its own where it differs in the third part.
  init(port: Int, from source: String = "127.0.0.1", patience: Int = 10) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var wait = timeval(tv_sec: patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(
        descriptor, SOL_SOCKET, option, &wait, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var own = sockaddr_in()
    own.sin_family = sa_family_t(AF_INET)
    unsafe inet_pton(AF_INET, source, &own.sin_addr)
    _ = unsafe withUnsafePointer(to: &own) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let code = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      close(descriptor)
      throw TestSupportError("no connection to port \(port)")
    }
  }

  deinit { close(descriptor) }

  /// How many bytes the other side took; fewer than there are when it does not read on.
  func send(_ bytes: [UInt8]) async -> Int {
    await onThread { [descriptor] in
      var sent = 0
      while sent < bytes.count {
        let count = unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(
            descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
            Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { break }
        sent += count
      }
      return sent
    }
  }

  /// Throws away what is left of an answer that was sent whole.
  func drain() async {
    await onThread { [descriptor] in
      var room = [UInt8](repeating: 0, count: 1 << 16)
      while unsafe recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT)) > 0 {}
    }
  }

  /// The status of the answer; nil when none comes.
  func status() async -> Int? {
    await onThread { [descriptor] in
      var room = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(descriptor, &room, room.count, 0)
      guard count > 12 else { return nil }
      return Int(String(decoding: room[9..<12], as: UTF8.self))
    }
  }

  private func onThread<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: work()) }
    }
  }
}

/// What a running program holds of the machine's memory, in KiB.
enum ProcessMemory {
  /// The most that it ever held.
  static func peak(of process: Int32) throws -> Int { try value("VmHWM", of: process) }

  private static func value(_ name: String, of process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    guard let number = line?.split(separator: " ").dropLast().last, let kibibytes = Int(number)
    else { throw TestSupportError("no \(name) of process \(process)") }
    return kibibytes
  }
}
