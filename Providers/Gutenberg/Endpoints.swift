import Circulation
import HTTP
import ProviderKit

// What is asked for, as values. Nothing here sends.

extension Settings {
  /// §2: a new one every night, 120 MB.
  var feed: WireRequest {
    var request = WireRequest(.get, feeds.appending(segment: Self.feedName))
    (request.tryLimit, request.bodyLimit) = (.seconds(30), 2 << 30)
    return request
  }

  static let feedName = "rdf-files.tar.bz2"

  /// §2: the record of one book, as it lies beside its files.
  func record(of number: Int) -> WireRequest {
    var request = WireRequest(.get, mirrored(["cache", "epub", "\(number)", "pg\(number).rdf"]))
    request.bodyLimit = 8 << 20
    return request
  }

  /// Where people read and hear it.
  func page(of number: Int) -> Address {
    site.appending(segment: "ebooks").appending(segment: "\(number)")
  }

  /// Where the mirror has a file that the site names in its own way (§2, §3.4).
  func address(of id: String, in number: Int) -> Address {
    if let name = Self.made[id] {
      let file = name.replacing("#", with: "\(number)")
      return mirrored(["cache", "epub", "\(number)", file])
    }
    let path = id.split(separator: "/").map(String.init)
    // `files/12345/12345-h/12345-h.htm` is in `1/2/3/4/12345/12345-h/` there.
    if path.count > 2, path[0] == "files", path[1] == "\(number)" {
      return mirrored(Self.folders(of: number) + path.dropFirst())
    }
    return mirrored(path)
  }

  /// All digits but the last; a single one has a folder of its own.
  static func folders(of number: Int) -> [String] {
    let digits = String(number).dropLast().map(String.init)
    return digits.isEmpty ? ["0"] : digits
  }

  private func mirrored(_ path: [String]) -> Address {
    path.reduce(mirror) { $0.appending(segment: $1) }
  }

  private static let made: [String: String] = [
    "epub3.images": "pg#-images-3.epub", "epub.images": "pg#-images.epub",
    "epub.noimages": "pg#.epub", "kf8.images": "pg#-images-kf8.mobi",
    "kindle.images": "pg#-images.mobi", "kindle.noimages": "pg#.mobi",
    "html.images": "pg#-images.html", "html.noimages": "pg#.html", "txt.utf-8": "pg#.txt",
    "txt.us-ascii": "pg#.txt", "txt.iso-8859-1": "pg#.txt", "pdf.images": "pg#-images.pdf",
    "pdf.noimages": "pg#.pdf",
  ]
}
