import Console
import Machine
import TextSafety

/// The list that was shown last, so that `carrel borrow 3` knows what 3 is. One id a line, in the
/// state folder; it may be deleted at any time.
struct LastList {
  let path: String

  init(_ places: Places) { path = places.state + "/last-list" }

  /// A list that cannot be kept is no reason to fail the command that showed it.
  func keep(_ ids: [String]) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    guard (try? Files.makeFolder(folder)) != nil else { return }
    try? WholeFile.write(Array(ids.joined(separator: "\n").utf8), to: path)
  }

  func title(_ number: Int) throws(CommandError) -> String {
    let bytes = try? WholeFile.read(path, upTo: 1 << 20)
    let ids = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    guard number >= 1, number <= ids.count else {
      let had =
        bytes == nil
        ? "no list was shown yet"
        : ids.isEmpty
          ? "the last list was empty" : "the last list had \(Counted.text(ids.count, "title"))"
      throw CommandError(
        .unknownTitle, "there is no number \(number): \(had)", try: "carrel search WORDS")
    }
    return ids[number - 1]
  }
}

extension App {
  func remember(_ ids: [String]) {
    // Without a place for files there is none for this one either.
    if let places = try? places() { LastList(places).keep(ids) }
  }

  /// A number of the last list becomes the id it stood for; anything else stays as it is.
  func title(_ word: String) throws(CommandError) -> String {
    guard let number = Int(word), number < 10_000 else { return word }
    return try LastList(try places()).title(number)
  }
}
