import Console
import Machine

/// Which carrel this is. Sources cannot know the commit they will become, so `make install` and the
/// Debian package leave it in a file beside the program, and a program that still lies in its
/// checkout asks the checkout.
struct Release: Sendable {
  static let number = "0.1.0"

  static let current = Release(executable: Process.executable)

  let commit: String?

  init(executable: String?) {
    guard let executable else {
      commit = nil
      return
    }
    commit = Self.installed(executable) ?? Self.checkedOut(executable)
  }

  /// `PREFIX/bin/carrel` and `PREFIX/libexec/carrel/carrel-gateway` have
  /// `PREFIX/share/carrel/commit`.
  private static func installed(_ executable: String) -> String? {
    let above = parent(parent(executable))
    for prefix in [above, parent(above)] {
      if let found = line(prefix + "/share/carrel/commit").flatMap(hash) { return found }
    }
    return nil
  }

  /// `CHECKOUT/.build/…/carrel`: what HEAD says, with or without a worktree in between.
  private static func checkedOut(_ executable: String) -> String? {
    guard let build = executable.firstRange(of: "/.build/") else { return nil }
    let git = executable[..<build.lowerBound] + "/.git"
    var folder = String(git)
    if let link = line(folder), link.hasPrefix("gitdir: ") {
      folder = String(link.dropFirst(8))
      if !folder.hasPrefix("/") { folder = executable[..<build.lowerBound] + "/" + folder }
    }
    guard let head = line(folder + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return hash(head) }
    let name = head.dropFirst(5)
    var common = line(folder + "/commondir") ?? folder
    if !common.hasPrefix("/") { common = folder + "/" + common }
    for place in [folder, common] {
      if let found = line("\(place)/\(name)").flatMap(hash) { return found }
    }
    return packed(common + "/packed-refs", name)
  }

  private static func packed(_ path: String, _ name: Substring) -> String? {
    guard let bytes = try? WholeFile.read(path, upTo: 4 << 20) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasSuffix(" " + name) }.flatMap { hash(String($0.prefix(40))) }
  }

  /// Absent and unreadable files are the same here: the commit stays unknown.
  private static func line(_ path: String) -> String? {
    guard let bytes = try? WholeFile.read(path, upTo: 4096) else { return nil }
    return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
  }

  private static func hash(_ text: String) -> String? {
    let isHash = (7...64).contains(text.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    return isHash ? text : nil
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
