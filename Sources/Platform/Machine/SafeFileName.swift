import TextSafety

/// A file name made from a title or a stranger's header that is good on every file system
/// people carry files on (FAT and exFAT are the strictest) and that cannot lead out of its folder.
package struct SafeFileName: Sendable, Hashable, CustomStringConvertible {
  package let text: String
  package var description: String { text }

  /// `suffix` (".epub") is kept when the rest must be cut. Never cuts within a character, unless one
  /// character alone is longer than the room.
  package init(
    _ wanted: String, suffix: String = "", fallback: String = "unnamed", maxBytes: Int = 200
  ) {
    let suffix = String(suffix.unicodeScalars.filter { !Self.isRefused($0) })
    // One byte is kept back for the mark that a reserved name gets.
    let room = max(1, maxBytes - suffix.utf8.count - 1)
    // What is far too long is not worth walking through.
    let clean = Self.trimmed(
      wanted.unicodeScalars.prefix(64 << 10).reduce(into: String()) { name, scalar in
        if Self.isRefused(scalar) {
          if !Self.isInvisible(scalar) { name.unicodeScalars.append("_") }
        } else {
          name.unicodeScalars.append(scalar)
        }
      })
    var name = Self.trimmed(Self.cut(clean, to: room))
    if name.isEmpty { name = Self.cut(fallback, to: room) }
    text = Self.withoutReserved(name) + suffix
  }

  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    if isInvisible(scalar) { return true }
    switch scalar {
    case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": return true
    default: return false
    }
  }

  /// Also marks that only set the direction of one place: in a name they are of no use, and two
  /// names that look the same would be two files.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    HiddenCharacter(scalar) != nil || [0x200E, 0x200F, 0x061C].contains(scalar.value)
  }

  /// FAT drops dots and blanks at the end; a dot at the front hides a file or climbs a folder.
  private static func trimmed(_ name: String) -> String {
    func isEdge(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "." || scalar.properties.isWhitespace
    }
    var rest = Substring(name).unicodeScalars
    while let first = rest.first, isEdge(first) { rest.removeFirst() }
    while let last = rest.last, isEdge(last) { rest.removeLast() }
    return String(rest)
  }

  private static func cut(_ name: String, to room: Int) -> String {
    guard name.utf8.count > room else { return name }
    var (kept, bytes) = ("", 0)
    for character in name {
      bytes += character.utf8.count
      if bytes > room { break }
      kept.append(character)
    }
    if !kept.isEmpty { return kept }
    bytes = 0
    for scalar in name.unicodeScalars {
      bytes += scalar.utf8.count
      if bytes > room { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }

  /// Names of devices on Windows, whatever follows the first dot.
  private static func withoutReserved(_ name: String) -> String {
    let stem = name.prefix { $0 != "." }
    let device = trimmed(String(stem)).uppercased()
    let numbered = ["COM", "LPT"].contains { device.hasPrefix($0) } && device.count == 4
    let isReserved =
      ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(device)
      || numbered && "0123456789¹²³".contains(device.last!)
    return isReserved ? stem + "_" + name.dropFirst(stem.count) : name
  }
}
