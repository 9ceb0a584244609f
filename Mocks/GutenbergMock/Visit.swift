import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served.
struct Visit {
  let request: MockRequest
  let route: Route
  let library: MockLibrary
  let now: Moment

  var answer: Response {
    // Whoever came too often is asked whether they are human, with a friendly status.
    if library.settings["robots_page"]?.bool == true { return Page.robots }
    switch route {
    case .search: return Page.forbidden
    case .archive: return sent(collection.archive, MediaType("application", "x-bzip2"))
    case .table: return sent(Array(collection.table.utf8), MediaType("text", "csv"))
    case .record(let number):
      guard let record = collection.record(number) else { return Page.notFound }
      return sent(Array(record.utf8), MediaType("application", "rdf+xml"))
    case .file(let number, let name): return file(number, name)
    case .named(let number, let type):
      guard collection.title(number) != nil else { return Page.notFound }
      if type == "rdf" { return led(to: "pg\(number).rdf", number) }
      guard let name = Collection.files[type] else { return Page.notFound }
      return led(to: name.replacing("#", with: "\(number)"), number)
    case .page(let number):
      guard let title = collection.title(number) else { return Page.notFound }
      return Page.page(title.name, "by \(title.authors.joined(separator: ", "))")
    case .unknown: return Page.notFound
    }
  }

  private var collection: Collection { Collection(library, request.base) }

  private func led(to name: String, _ number: Int) -> Response {
    .redirect(to: "\(request.base)/cache/epub/\(number)/\(name)", .found)
  }

  private func file(_ number: Int, _ name: String) -> Response {
    guard let title = collection.title(number) else { return Page.notFound }
    if name.hasSuffix(".jpg") {
      return sent(
        MockPicture(seed: title.name).png(width: 200, height: 300), .init("image", "png"))
    }
    guard name.hasSuffix(".epub") else {
      let text = """
        *** START OF THE PROJECT GUTENBERG EBOOK \(title.name) ***
        Once more.
        *** END OF THE PROJECT GUTENBERG EBOOK \(title.name) ***
        """
      return sent(Array(text.utf8), .plainText)
    }
    return sent(MockBook(title).epub, .epub)
  }

  /// Anything may be asked for in parts, and only when it has changed.
  private func sent(_ bytes: [UInt8], _ type: MediaType) -> Response {
    let tag = String(Hex.encode(Digest.sha256.hash(bytes)).prefix(24))
    return .bytes(bytes, type, validators: Validators(etag: EntityTag(tag)))
  }
}
