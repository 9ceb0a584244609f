import Circulation
import FrontDesk
import HTTP
import HTTPServer
import OPDS

/// One request for a document of the catalogue: which version, whose eyes.
struct Errand: Sendable {
  let request: Request
  let head: Letterhead
  let visitor: Visitor
  /// Nil for strangers.
  let shelf: ReaderShelf?
  /// Whose books are shown.
  let libraries: [LibraryID]
  /// Of these, who did not answer lately.
  let silent: Set<LibraryID>

  var version: FeedVersion { head.version }
  var paths: FeedPaths { head.paths }
  var query: FormFields { request.query }
  var profile: Visitor.Profile { visitor.reader?.profile ?? .borrows }
}

/// Which root a request came by.
enum Road: CaseIterable {
  case either, atom, json

  var paths: FeedPaths {
    switch self {
    case .either: .either
    case .atom: .atom
    case .json: .json
    }
  }

  /// Atom unless JSON is liked better: what takes everything, or both alike, reads Atom best (§4).
  func version(for request: Request) throws(Problem) -> FeedVersion {
    switch self {
    case .atom: return .atom
    case .json: return .json
    case .either: break
    }
    // They like JSON better than they read it, and pages of actions are Atom's (§4).
    if ReadingApps.profile(of: request["User-Agent"]) == .downloads { return .atom }
    let field = request.headers.joined("Accept")
    let accept = Accept(field)
    if let field, !accept.isReadable, !field.allSatisfy({ $0 == " " || $0 == "\t" }) {
      throw Problem(
        .badRequest, code: "malformed_accept", detail: "Accept is no list of media types",
        remedy: "Send \(FeedVersion.jsonFeed.essence), application/atom+xml, or nothing.")
    }
    let best = accept.best(of: Self.offers.map(\.type))
    guard let found = Self.offers.first(where: { $0.type == best }) else {
      throw Problem(
        .notAcceptable, code: "not_acceptable",
        detail: "The catalogue is there as application/atom+xml and application/opds+json.")
    }
    return found.version
  }

  private static let offers: [(type: MediaType, version: FeedVersion)] =
    [
      (FeedVersion.atom.feed(.acquisition), .atom), (FeedVersion.atom.feed(.navigation), .atom),
      (FeedVersion.atom.entry, .atom), (MediaType("application", "xml"), .atom),
      (MediaType("text", "xml"), .atom), (FeedVersion.jsonFeed, .json),
      (FeedVersion.json.entry, .json), (.json, .json),
    ]
}
