import Glibc

/// The account this process runs as, by the account database: HOME may be missing (cron, systemd).
package struct UserAccount: Sendable, Hashable {
  package let name: String
  package let home: String

  package static var effectiveID: UInt32 { geteuid() }

  package static func current() -> UserAccount? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // Large enough for any entry that a person wrote; directories of accounts may have longer ones.
    var room = [CChar](repeating: 0, count: 64 << 10)
    let result = unsafe getpwuid_r(geteuid(), &entry, &room, room.count, &found)
    guard result == 0, unsafe found != nil, let name = unsafe entry.pw_name,
      let home = unsafe entry.pw_dir
    else { return nil }
    return unsafe UserAccount(name: String(cString: name), home: String(cString: home))
  }
}
