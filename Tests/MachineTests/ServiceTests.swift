import Glibc
import Machine
import Testing

@Suite struct `A service` {
  @Test(arguments: [false, true])
  func `A service tells its manager how it does`(isAbstract: Bool) throws {
    let scratch = try ScratchFolder()
    let name = isAbstract ? "@" + scratch.path.suffix(40) : scratch.file("s")
    let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(2 + bytes.count + (isAbstract ? 0 : 1)))
      }
    }
    try #require(bound == 0)
    let manager = ServiceManager(in: Environment(["NOTIFY_SOCKET": name]))
    try manager.tell(.ready, .status("two\nlines"))
    var room = [UInt8](repeating: 0, count: 200)
    let count = unsafe recv(listener, &room, room.count, Int32(MSG_DONTWAIT))
    try #require(count > 0)
    #expect(String(decoding: room[..<count], as: UTF8.self) == "READY=1\nSTATUS=two lines")
  }

  @Test func `notifying the service manager does nothing where there is none`() throws {
    try ServiceManager(in: Environment([:])).tell(.ready)
  }

  @Test func `A service knows its watchdog, unless that is meant for another`() {
    func interval(_ variables: [String: String]) -> Duration? {
      ServiceManager(in: Environment(variables), process: 7).watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "60000000"]) == .seconds(60))
    #expect(interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "7"]) == .seconds(60))
    #expect(interval(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "-1"]) == nil)
  }

  @Test func `A service takes the sockets passed to it, by name`() {
    func sockets(_ pid: String, _ count: String, _ names: String?) -> [PassedSocket] {
      let variables = Environment(["LISTEN_PID": pid, "LISTEN_FDS": count])
      return PassedSocket.all(in: variables.setting(["LISTEN_FDNAMES": names]), process: 7)
    }
    #expect(sockets("7", "2", "web:").map(\.name) == ["web", "unknown"])
    #expect(sockets("7", "2", nil).map(\.descriptor) == [3, 4])
    #expect(sockets("8", "2", nil) == [])
    #expect(sockets("7", "99999999999", nil) == [])
    #expect(sockets("7", "-1", nil) == [])
  }

  @Test func `A service writes to the journal only where the journal really listens`() throws {
    let pipe = try #require(Pipe())
    var status = stat()
    unsafe fstat(pipe.write, &status)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(Journal.receives(pipe.write, in: Environment(["JOURNAL_STREAM": stream])))
    #expect(!Journal.receives(pipe.write, in: Environment(["JOURNAL_STREAM": stream + "1"])))
    #expect(!Journal.receives(pipe.write, in: Environment([:])))
  }

  @Test func `A service knows itself`() throws {
    #expect(try ThisProcess.residentBytes() > 1 << 20)
    #expect(ThisProcess.processorCount >= 1)
    try ThisProcess.refuseCoreDumps()
    #expect(!ThisProcess.mayDumpCore)
  }
}

@Suite struct `A child program` {
  let environment = Environment(["PATH": "/usr/bin:/bin", "MARK": "here"])
  func shell(_ script: String) -> ChildProgram {
    ChildProgram("/bin/sh", ["-c", script], environment: environment)
  }

  @Test func `A child program is heard on both streams, with its ending`() async throws {
    let capture = try await shell("echo $MARK; echo no >&2; exit 3").capture()
    #expect(capture.output == Array("here\n".utf8))
    #expect(capture.error == Array("no\n".utf8))
    #expect(capture.ending == .exited(3))
  }

  @Test func `A child program is fed and heard at once, beyond what pipes hold`() async throws {
    let bytes = [UInt8](repeating: 65, count: 600_000)
    let capture = try await ChildProgram("cat", environment: environment).capture(feeding: bytes)
    #expect(capture.output == bytes)
  }

  @Test func `A child program may close its input early`() async throws {
    let bytes = [UInt8](repeating: 65, count: 600_000)
    #expect(try await shell("exit 0").capture(feeding: bytes).ending == .exited(0))
  }

  @Test func `A child program is killed when it says too much`() async {
    await #expect(throws: Capture.Failure.tooMuchOutput(limit: 1000)) {
      try await shell("while :; do echo more; done").capture(limit: 1000)
    }
  }

  @Test func `A child program is killed when it takes too long`() async {
    await #expect(throws: Capture.Failure.tookTooLong(.milliseconds(50))) {
      try await shell("exec sleep 600").capture(within: .milliseconds(50))
    }
  }

  @Test func `A child program that is missing is a failure with its name`() async {
    await #expect(
      throws: Capture.Failure.failed(
        MachineError(code: ENOENT, attempt: "start", subject: "/no/such"))
    ) { try await ChildProgram("/no/such", environment: environment).capture() }
  }

  @Test func `A child program takes no word with a zero byte`() {
    #expect(throws: MachineError.self) { try shell("a\u{0}b").start() }
  }

  @Test func `A child program can be ended`() async throws {
    let child = try ChildProgram("sleep", ["600"], environment: environment).start()
    child.terminate()
    #expect(await child.wait() == .killed(signal: SIGTERM))
    child.terminate()
  }
}
