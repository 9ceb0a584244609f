import HTTP
import MockKit

/// What a request asks for, read from its path alone.
enum Route: Equatable {
  case archive, table, search
  case record(Int)
  case file(Int, name: String)
  /// The site's own name of a file, which leads to where it lies.
  case named(Int, type: String)
  case page(Int)
  case unknown

  /// Nil for paths that are none of the site's.
  init?(_ request: MockRequest) {
    let path = request.path
    guard let first = path.first, ["cache", "ebooks", "files"].contains(first) else { return nil }
    guard request.method == .get || request.method == .head else {
      self = .unknown
      return
    }
    switch (first, path.count) {
    case ("cache", 4) where path[1] == "epub" && path[2] == "feeds":
      self =
        path[3] == "rdf-files.tar.bz2" ? .archive : path[3] == "pg_catalog.csv" ? .table : .unknown
    case ("cache", 4) where path[1] == "epub":
      guard let number = Int(path[2]), path[3].hasPrefix("pg\(number)") else { fallthrough }
      self =
        path[3] == "pg\(number).rdf" ? .record(number) : .file(number, name: path[3])
    case ("ebooks", 2) where path[1].hasPrefix("search"): self = .search
    case ("ebooks", 2):
      let parts = path[1].split(separator: ".", maxSplits: 1).map(String.init)
      guard let number = parts.first.flatMap({ Int($0) }) else { fallthrough }
      self = parts.count == 2 ? .named(number, type: parts[1]) : .page(number)
    default: self = .unknown
    }
  }

  /// The case's name: what faults and the journal call the operation.
  var operation: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }
}
