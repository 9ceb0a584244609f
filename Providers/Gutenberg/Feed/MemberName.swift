/// `cache/epub/<digits>/pg<the same digits>.rdf`, and nothing else: there are members that are
/// being deleted, tests, and placeholders.
enum MemberName {
  static func number(_ name: String) -> Int? {
    let bytes = name.utf8
    // Asked of every member twice, so without taking the path apart.
    let digits = (bytes.count - folder.utf8.count - between.utf8.count - end.utf8.count) / 2
    guard digits > 0, digits < 10, bytes.starts(with: folder.utf8) else { return nil }
    let number = name.dropFirst(folder.utf8.count).prefix(digits)
    guard name == folder + number + between + number + end else { return nil }
    return BookNumber(number)?.value
  }

  private static let folder = "cache/epub/"
  private static let between = "/pg"
  private static let end = ".rdf"
}
