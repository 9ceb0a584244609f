/// `cache/epub/<digits>/pg<the same digits>.rdf`, and nothing else: there are members that are
/// being deleted, tests, and placeholders.
enum MemberName {
  static func number(_ name: String) -> Int? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "cache", parts[1] == "epub", parts[3].hasPrefix("pg"),
      parts[3].hasSuffix(".rdf"), parts[3].dropFirst(2).dropLast(4) == parts[2]
    else { return nil }
    return BookNumber(parts[2])?.value
  }
}
