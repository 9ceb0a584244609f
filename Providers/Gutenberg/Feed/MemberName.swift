/// `cache/epub/<digits>/pg<the same digits>.rdf`, and nothing else: there are members that are
/// being deleted, tests, and placeholders.
enum MemberName {
  static func number(_ name: String) -> Int? {
    let bytes = name.utf8
    // Asked of every member twice, so without taking the path apart.
    let both = bytes.count - folder.utf8.count - between.utf8.count - end.utf8.count
    let digits = both / 2
    guard digits > 0, digits < 10, both == 2 * digits, bytes.starts(with: folder.utf8) else {
      return nil
    }
    let number = bytes.dropFirst(folder.utf8.count).prefix(digits)
    let rest = bytes.dropFirst(folder.utf8.count + digits)
    guard rest.starts(with: between.utf8), rest.dropFirst(between.utf8.count).starts(with: number),
      rest.suffix(end.utf8.count).elementsEqual(end.utf8)
    else { return nil }
    return BookNumber(Substring(number))?.value
  }

  private static let folder = "cache/epub/"
  private static let between = "/pg"
  private static let end = ".rdf"
}
