import Glibc

/// The file system under a path: databases and locks are not safe on some.
package struct FileSystem: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case local
    /// Over a network; locks and renames may not hold what they promise.
    case network(String)
    /// Run by a program (FUSE): may be anything, sshfs and cloud drives among them.
    case userspace
  }

  package let kind: Kind
  package let totalBytes: UInt64
  /// What an ordinary account may still fill.
  package let availableBytes: UInt64
  /// How many files it can hold, and how many more; both 0 where it does not count them (btrfs).
  package let totalInodes: UInt64
  package let availableInodes: UInt64

  /// Of the path, or, while it does not exist yet, of the nearest folder that does.
  package init(holding path: String) throws(MachineError) {
    var path = path
    var space = statvfs()
    while unsafe statvfs(path, &space) != 0 {
      let parent = Path.parent(of: path)
      guard errno == ENOENT, parent != path, path != "." else {
        throw MachineError("examine", path)
      }
      path = parent
    }
    let block = UInt64(space.f_frsize)
    totalBytes = UInt64(space.f_blocks).multipliedReportingOverflow(by: block).partialValue
    availableBytes = UInt64(space.f_bavail).multipliedReportingOverflow(by: block).partialValue
    totalInodes = UInt64(space.f_files)
    availableInodes = UInt64(space.f_favail)
    guard let magic = Doors.fileSystemMagic(at: path) else {
      throw MachineError("examine", path)
    }
    kind = Self.kind(magic: UInt32(truncatingIfNeeded: magic))
  }

  /// statfs(2) and linux/magic.h have the numbers.
  package static func kind(magic: UInt32) -> Kind {
    switch magic {
    case 0x6969: .network("NFS")
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: .network("SMB")
    case 0x564C: .network("NCP")
    case 0x00C3_6400: .network("Ceph")
    case 0x0102_1997: .network("9P")
    case 0x0BD0_0BD0: .network("Lustre")
    case 0x0116_1970: .network("GFS2")
    case 0x7461_636F: .network("OCFS2")
    case 0x7375_7245: .network("Coda")
    case 0x5346_414F, 0x6B41_4653: .network("AFS")
    case 0x786F_4256: .network("shared folder")
    case 0x6573_5546: .userspace
    default: .local
    }
  }
}
