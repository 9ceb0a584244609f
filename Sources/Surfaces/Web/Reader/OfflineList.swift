import Chapters
import Circulation
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Phrasebook
import Reading

/// All that belongs to an open book, by address: what a device fetches to have it without a network.
enum OfflineList {
  /// A page that is fetched ahead is not one that is read: it moves no place.
  static let ahead = "kept"

  static func answer(_ visit: ReaderVisit) async throws(Problem) -> Response {
    guard !visit.book.isLicensed else {
      throw Problem(
        .forbidden, code: "not_kept",
        detail: said("This book is locked with a licence: no device of yours may keep it in clear.")
      )
    }
    guard let first = visit.open.line.first else {
      throw Problem(
        .conflict, code: "spine-nothing-readable", detail: said("Nothing in this book can be read.")
      )
    }
    let parts = visit.parts
    let sections = visit.open.line.flatMap { section in
      [
        visit.link(section: section, FormFields([.init(ahead, "1")])),
        visit.caller.link(ReaderPaths.marks.print((visit.name.0, visit.name.1, section))),
        "\(parts)s/\(section)",
      ]
    }
    let addresses = visit.addresses
    // Documents are among the sections, rebuilt; what describes the book is asked for by nobody.
    let shown = visit.book.document.manifest.compactMap { item -> String? in
      guard item.isShown, let path = item.path else { return nil }
      return addresses.resource(path)
    }
    let assets = ReaderAssets.all.map { visit.caller.request.link($0.path.print()) }
    var list: JSONObject = [
      "pages": .array(
        (sections + Set(shown).sorted() + assets
          + ["\(parts)taste.css", visit.link(ReaderPaths.contents)]).map(JSONValue.string)),
      "start": .string(await start(visit) ?? visit.link(section: first)),
    ]
    if let until = visit.loan.loan.until { list["until"] = .integer(Int(until.milliseconds)) }
    return visit.lobby.json(.object(list))
  }

  /// Where the reader stopped, as the script counts.
  private static func start(_ visit: ReaderVisit) async -> String? {
    let keeping = PlaceKeeping(visit)
    guard let here = await keeping.standing()?.here, let place = keeping.place(of: here),
      let shown = try? visit.open.shown(
        ofPlace: place.range.lowerBound, at: place.spine, visit.addresses)
    else { return nil }
    return visit.link(section: place.spine, ["shown": "\(shown)"])
  }
}

extension ManifestItem {
  /// Whether a page may show it: pictures, sounds, sheets and letters.
  fileprivate var isShown: Bool {
    let kind = mediaType.text.lowercased()
    return kind == "text/css"
      || ["image/", "audio/", "video/", "font/"].contains { kind.hasPrefix($0) }
      // Fonts have names that stood in many lists before `font` did.
      || [".otf", ".ttf", ".woff", ".woff2"].contains { path?.lowercased().hasSuffix($0) == true }
  }
}
