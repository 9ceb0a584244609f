import CSandbox

/// Takes from this process what reading bytes and writing bytes does not need, before it looks at bytes
/// of strangers: files, network, other programs, and more than its share of memory and time.
package struct Sandbox: Sendable, Hashable {
  /// Of Landlock; nil where the kernel has none.
  package let landlock: Int?
  package let hasFilter: Bool

  /// The limits cannot be set, by the number of the error.
  package struct Trouble: Error { package let code: Int32 }

  /// For a process with one thread. There is no way back.
  package static func enter(memory: Int, seconds: Int) throws(Trouble) -> Sandbox {
    var report = carrel_sandbox_report()
    let code = unsafe carrel_sandbox_enter(
      carrel_sandbox_limits(
        // Some 50 libraries are mapped, most of them by libgd and never called.
        memory: UInt64(memory), address_space: UInt64(memory + 512 << 20), seconds: UInt32(seconds)),
      &report)
    guard code == 0 else { throw Trouble(code: code) }
    return Sandbox(
      landlock: report.landlock > 0 ? Int(report.landlock) : nil, hasFilter: report.seccomp == 1)
  }

  /// What can be done in spite of it: tries all that should be refused. Only for a process that ends
  /// afterwards.
  package static func escapes() -> [String] {
    let found = UInt32(bitPattern: carrel_sandbox_escapes())
    return tries.filter { found & $0.bit != 0 }.map(\.words)
  }

  private static let tries: [(bit: UInt32, words: String)] = [
    (CARREL_SANDBOX_READS_FILE.rawValue, "files can be read"),
    (CARREL_SANDBOX_WRITES_FILE.rawValue, "files can be written"),
    (CARREL_SANDBOX_OPENS_SOCKET.rawValue, "sockets can be opened"),
    (CARREL_SANDBOX_STARTS_PROCESS.rawValue, "processes can be started"),
    (CARREL_SANDBOX_SIGNALS_PARENT.rawValue, "the gateway can be signaled"),
    (CARREL_SANDBOX_TAKES_MEMORY.rawValue, "memory has no limit"),
    (CARREL_SANDBOX_DUMPS_CORE.rawValue, "core files are written"),
    (CARREL_SANDBOX_HAS_DESCRIPTORS.rawValue, "descriptors are inherited"),
    (CARREL_SANDBOX_HAS_ENVIRONMENT.rawValue, "the environment is inherited"),
  ]
}
