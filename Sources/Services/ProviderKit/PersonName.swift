/// Names as catalogues file them and as people say them.
package enum PersonName {
  /// `McCain, John S. III` is John S. McCain III, and what holds no comma is said as it is written.
  package static func spoken(_ filed: String) -> String {
    guard filed.utf8.contains(UInt8(ascii: ",")) else { return filed }
    let parts = filed.parts(at: ",")
    guard parts.count == 2 || parts.count == 3, !parts.contains("") else { return filed }
    var suffix = parts.count == 3 ? parts[2] : ""
    // A third part that is no such suffix makes it something else than a name: a list, a firm.
    if parts.count == 3, !isGeneration(suffix) { return filed }
    var given = parts[1]
    if isCompany(given) { return filed }
    if parts.count == 2, isGeneration(given) { return "\(parts[0]) \(given)" }
    if suffix.isEmpty, let gap = given.utf8.lastIndex(of: UInt8(ascii: " ")) {
      let last = String(given[given.index(after: gap)...])
      if isGeneration(last) { (given, suffix) = (String(given[..<gap]).trimmingBlanks, last) }
    }
    return suffix.isEmpty ? "\(given) \(parts[0])" : "\(given) \(parts[0]) \(suffix)"
  }

  private static func isGeneration(_ word: String) -> Bool {
    word.utf8.count < 4
      && ["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"].contains(word.lowercased())
  }

  private static func isCompany(_ word: String) -> Bool {
    word.utf8.count < 6
      && ["inc", "inc.", "ltd", "ltd.", "llc", "co.", "corp.", "gmbh"].contains(word.lowercased())
  }
}
