/// The names of an archive, and how they are found. Names are compared and never followed.
struct ZipNames: Sendable {
  private(set) var entries: [ZipEntry] = []
  var warnings: [ZipWarning] = []
  /// Text that is canonically equal is one key to Swift, however it is composed.
  private var byName: [String: Int] = [:]
  private var byFolded: [String: Int] = [:]

  /// More would not help anybody.
  private static let mostWarnings = 1000

  mutating func add(_ entry: ZipEntry, isLink: Bool) {
    let name = entry.name
    if isLink || Self.isUnsafe(name) {
      warn(.unsafeName(name))
      return
    }
    guard byName[name] == nil else {
      warn(.duplicate(name))
      return
    }
    byName[name] = entries.count
    let folded = Self.folded(name)
    if let other = byFolded[folded] {
      warn(.colliding(entries[other].name, name))
    } else {
      byFolded[folded] = entries.count
    }
    // A name with backslashes is found last of all, by the slashes it may have meant.
    if name.utf8.contains(UInt8(ascii: "\\")) { warn(.unsafeName(name)) }
    entries.append(entry)
  }

  func find(_ name: String) -> (entry: ZipEntry, fit: ZipFit)? {
    if let index = byName[name] {
      let entry = entries[index]
      return (entry, entry.name.utf8.elementsEqual(name.utf8) ? .exact : .normalized)
    }
    return byFolded[Self.folded(name)].map { (entries[$0], .folded) }
  }

  private mutating func warn(_ warning: ZipWarning) {
    if warnings.count < Self.mostWarnings { warnings.append(warning) }
  }

  private static func folded(_ name: String) -> String {
    let lowered = name.lowercased()
    guard lowered.utf8.contains(UInt8(ascii: "\\")) else { return lowered }
    return String(lowered.map { $0 == "\\" ? "/" : $0 })
  }

  private static func isUnsafe(_ name: String) -> Bool {
    let bytes = name.utf8
    // No tool makes such a name; what takes names apart would be kept busy by it.
    guard bytes.count <= 4096 else { return true }
    guard let first = bytes.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "\\") else {
      return true
    }
    // `C:` of other systems.
    if bytes.dropFirst().first == UInt8(ascii: ":") { return true }
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return true }
    return bytes.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      .contains { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }
  }
}
