import Glibc
import Machine
import Testing

@Suite struct `A guarded file` {
  let scratch: ScratchFolder
  init() throws { scratch = try ScratchFolder() }

  private var path: String { scratch.file("key") }

  @Test func `A guarded file is made whole, closed to others, and with nothing left over`() throws {
    try GuardedFile.make([1, 2, 3], at: path)
    #expect(try GuardedFile.read(path, upTo: 3) == [1, 2, 3])
    #expect(try Access(of: path).mode == 0o600)
    #expect(scratch.names == ["key"])
  }

  @Test func `A guarded file is never made over another`() throws {
    try GuardedFile.make([1], at: path)
    let failure = #expect(throws: MachineError.self) { try GuardedFile.make([2], at: path) }
    #expect(failure?.isExisting == true)
    #expect(try GuardedFile.read(path, upTo: 3) == [1])
    #expect(scratch.names == ["key"])
  }

  @Test func `A guarded file takes the place of another`() throws {
    try GuardedFile.make([1], at: path)
    try GuardedFile.make([2], at: scratch.file("next"))
    try GuardedFile.move(scratch.file("next"), over: path)
    #expect(try GuardedFile.read(path, upTo: 3) == [2])
    #expect(scratch.names == ["key"])
    #expect(throws: MachineError.self) { try GuardedFile.move(scratch.file("next"), over: path) }
  }

  @Test func `A guarded file can be removed, also twice`() throws {
    try GuardedFile.make([1], at: path)
    try GuardedFile.remove(path)
    try GuardedFile.remove(path)
    #expect(scratch.names == [])
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610])
  func `A guarded file is refused when open to others`(mode: Int) throws {
    try WholeFile.write([1], to: path, mode: UInt32(mode))
    #expect(throws: FileError.openToOthers(path: path)) { try GuardedFile.read(path, upTo: 3) }
  }

  @Test(arguments: [0o440, 0o400, 0o600])
  func `A guarded file may be for a group where a service manager guards it`(mode: Int) throws {
    try WholeFile.write([1], to: path, mode: UInt32(mode))
    #expect(try GuardedFile.read(path, upTo: 3, guardedBy: .serviceManager) == [1])
  }

  @Test(arguments: [0o444, 0o460, 0o450])
  func `A guarded file may be no more than that`(mode: Int) throws {
    try WholeFile.write([1], to: path, mode: UInt32(mode))
    #expect(throws: FileError.openToOthers(path: path)) {
      try GuardedFile.read(path, upTo: 3, guardedBy: .serviceManager)
    }
  }

  @Test func `A guarded file is refused behind a link, in a pipe, and as a folder`() throws {
    try GuardedFile.make([1], at: path)
    let (link, pipe) = (scratch.file("link"), scratch.file("pipe"))
    unsafe symlink("key", link)
    unsafe mkfifo(pipe, 0o600)
    #expect(throws: FileError.isALink(path: link)) { try GuardedFile.read(link, upTo: 3) }
    #expect(throws: FileError.notAFile(path: pipe)) { try GuardedFile.read(pipe, upTo: 3) }
    #expect(throws: FileError.notAFile(path: scratch.path)) {
      try GuardedFile.read(scratch.path, upTo: 3)
    }
  }

  @Test(arguments: [0o770, 0o707, 0o1777])
  func `A guarded file is refused in a folder that others can write`(mode: Int) throws {
    try GuardedFile.make([1], at: path)
    unsafe chmod(scratch.path, UInt32(mode))
    #expect(throws: FileError.folderOpenToOthers(path: scratch.path)) {
      try GuardedFile.read(path, upTo: 3)
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func `A guarded file is refused when somebody else owns it or the folder`()
    throws
  {
    try GuardedFile.make([1], at: path)
    unsafe chown(path, 65_534, 65_534)
    #expect(throws: FileError.ownedBySomeoneElse(path: path)) {
      try GuardedFile.read(path, upTo: 3)
    }
    unsafe chown(path, 0, 0)
    unsafe chown(scratch.path, 65_534, 65_534)
    #expect(throws: FileError.ownedBySomeoneElse(path: scratch.path)) {
      try GuardedFile.read(path, upTo: 3)
    }
  }

  @Test func `A guarded file is refused when it is too large or missing`() throws {
    try GuardedFile.make([1, 2, 3, 4], at: path)
    #expect(throws: FileError.tooLarge(path: path, limit: 3)) {
      try GuardedFile.read(path, upTo: 3)
    }
    let failure = #expect(throws: FileError.self) {
      try GuardedFile.read(scratch.file("none"), upTo: 3)
    }
    #expect(failure?.isMissing == true)
  }

  @Test func `A guarded file is refused with a reason in words`() {
    let reasons: [FileError] = [
      .notAFile(path: "/k"), .isALink(path: "/k"), .folderOpenToOthers(path: "/k"),
    ]
    #expect(Set(reasons.map(\.description)).count == 3)
    #expect(reasons.allSatisfy { $0.description.contains("/k") })
  }
}
