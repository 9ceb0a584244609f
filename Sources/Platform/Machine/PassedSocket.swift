import Glibc

/// A listening socket that the service manager opened before the program began (sd_listen_fds(3)):
/// low ports without privileges, and restarts that refuse no one.
package struct PassedSocket: Sendable, Hashable {
  package let descriptor: Int32
  package let name: String

  /// None unless they were passed to this very process, and not to the one that started it.
  package static func all(
    in environment: Environment, process: Int32 = ownProcessID()
  ) -> [PassedSocket] {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...1024).contains(count)
    else { return [] }
    let names = (environment["LISTEN_FDNAMES"] ?? "")
      .split(separator: ":", omittingEmptySubsequences: false)
    return (0..<count).map { place in
      let name = names.indices.contains(Int(place)) ? String(names[Int(place)]) : ""
      // Passed sockets begin right after the three standard streams.
      return PassedSocket(descriptor: 3 + place, name: name.isEmpty ? "unknown" : name)
    }
  }

  /// Keeps it from child processes; systemd passes it open to all.
  package func claim() throws(MachineError) {
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
      throw MachineError("claim", "socket \(descriptor)")
    }
  }
}
