package import Circulation
package import Database

extension DownloadQueue {
  /// A reader's place in the line, and what they hold, with the files that nobody holds then.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let patron = leaver.patron.rawValue
    return [
      Removal("downloads", from: "download", where: "patron = \(patron)"),
      Removal("claims to files", from: "book_holder", where: "patron = \(patron)"),
      // The files themselves are strays then, and swept.
      Removal(
        "book files", from: "book_file",
        where: "NOT EXISTS (SELECT 1 FROM book_holder h WHERE h.digest = book_file.digest)"),
    ]
  }
}
