import Glibc
import Machine
import Testing

@Suite struct `Files` {
  let scratch: ScratchFolder
  init() throws { scratch = try ScratchFolder() }

  @Test func `Files are replaced whole, with the mode asked for and nothing left over`() throws {
    let path = scratch.file("a")
    try WholeFile.write([1, 2, 3], to: path, mode: 0o640)
    try WholeFile.write([4], to: path)
    #expect(try WholeFile.read(path, upTo: 10) == [4])
    #expect(try Access(of: path).mode == 0o600)
    #expect(scratch.names == ["a"])
  }

  @Test func `Files are written through a link`() throws {
    try WholeFile.write([1], to: scratch.file("real"))
    unsafe symlink("real", scratch.file("link"))
    try WholeFile.write([2], to: scratch.file("link"))
    #expect(try WholeFile.read(scratch.file("real"), upTo: 10) == [2])
  }

  @Test func `Files leave no draft behind when they cannot be replaced`() throws {
    unsafe mkdir(scratch.file("folder"), 0o700)
    #expect(throws: MachineError.self) { try WholeFile.write([1], to: scratch.file("folder")) }
    #expect(scratch.names == ["folder"])
  }

  @Test func `Files are read up to a limit and not a byte further`() throws {
    let path = scratch.file("a")
    try WholeFile.write([UInt8](repeating: 7, count: 100_000), to: path)
    #expect(try WholeFile.read(path, upTo: 100_000).count == 100_000)
    #expect(throws: FileError.tooLarge(path: path, limit: 99_999)) {
      try WholeFile.read(path, upTo: 99_999)
    }
    #expect(throws: FileError.tooLarge(path: "/dev/zero", limit: 10)) {
      try WholeFile.read("/dev/zero", upTo: 10)
    }
  }

  @Test(arguments: [0o644, 0o640, 0o604] as [UInt32])
  func `Files with secrets are refused if others can read them`(mode: UInt32) throws {
    let path = scratch.file("secret")
    try WholeFile.write([1], to: path, mode: mode)
    #expect(throws: FileError.openToOthers(path: path)) {
      try WholeFile.read(path, upTo: 10, trusting: .ownerOnly)
    }
    #expect(try WholeFile.read(path, upTo: 10) == [1])
  }

  @Test func `Files that are missing are told apart`() {
    let error = #expect(throws: FileError.self) {
      try WholeFile.read(scratch.file("none"), upTo: 10)
    }
    #expect(error?.isMissing == true)
  }

  @Test func `Files lie in folders made private`() throws {
    let path = scratch.file("a/b/c")
    #expect(try Folder.makePrivate(path + "/") == .created)
    #expect(try Folder.makePrivate(path) == .existed)
    #expect(try Access(of: scratch.file("a")).mode == 0o700)
    unsafe chmod(path, 0o755)
    #expect(try Folder.makePrivate(path) == .tightened)
    #expect(try Access(of: path).mode == 0o700)
    try WholeFile.write([], to: scratch.file("file"))
    #expect(throws: FileError.notAFolder(path: scratch.file("file"))) {
      try Folder.makePrivate(scratch.file("file"))
    }
  }

  @Test func `Files lie on a file system with room`() throws {
    let system = try FileSystem(holding: scratch.file("not/yet/there"))
    #expect(system.kind == .local)
    #expect(system.totalBytes >= system.availableBytes && system.totalBytes > 0)
  }

  @Test(
    arguments: [
      (0x6969, FileSystem.Kind.network("NFS")), (0x517B, .network("SMB")),
      (0xFF53_4D42, .network("SMB")), (0xFE53_4D42, .network("SMB")), (0x6573_5546, .userspace),
      (0xEF53, .local), (0x0102_1994, .local),
    ] as [(UInt32, FileSystem.Kind)])
  func `Files know networks and programs behind a file system`(magic: UInt32, kind: FileSystem.Kind)
  {
    #expect(FileSystem.kind(magic: magic) == kind)
  }

  @Test func `Files are locked for one holder, who is named`() throws {
    let path = scratch.file("lock")
    do {
      let lock = try ProcessLock(at: path)
      #expect(throws: ProcessLock.Failure.held(path: path, process: getpid())) {
        _ = try ProcessLock(at: path)
      }
      _ = consume lock
    }
    _ = try ProcessLock(at: path)
  }
}

@Suite struct `A safe file name` {
  @Test(arguments: [
    ("Emma", "Emma"), ("../../etc/passwd", "_.._etc_passwd"),
    ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"),
    ("CON", "CON_"), ("nul.txt", "nul_.txt"), ("Com1", "Com1_"), ("COM¹", "COM¹_"),
    ("COM10", "COM10"), ("Console", "Console"), ("CON .x", "CON _.x"), ("end. . ", "end"),
    ("...", "unnamed"), ("", "unnamed"), ("\u{0}\n\t", "unnamed"), ("a\u{202E}b", "ab"),
    ("Größe", "Größe"),
  ])
  func `A safe file name is made of anything`(wanted: String, name: String) {
    #expect(SafeFileName(wanted).text == name)
  }

  @Test(arguments: [1, 7, 8, 20, 200])
  func `A safe file name is cut between characters and keeps its suffix`(limit: Int) {
    let name = SafeFileName(
      String(repeating: "👩‍👩‍👧é", count: 50), suffix: ".epub", maxBytes: limit + 6)
    #expect(name.text.utf8.count <= limit + 6)
    #expect(name.text.hasSuffix(".epub"))
    #expect(!name.text.contains("\u{FFFD}"))
  }
}
