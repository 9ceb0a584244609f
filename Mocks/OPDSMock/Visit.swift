import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served: by which library, in which language, and when.
struct Visit {
  let request: MockRequest
  let route: Route
  var library: MockLibrary
  let now: Moment
  let language: Language
  let quirks: Set<Quirk>

  init(_ request: MockRequest, _ route: Route, _ library: MockLibrary, _ now: Moment) {
    (self.request, self.route, self.library, self.now) = (request, route, library, now)
    let words = library.settings["quirks"]?.array?.compactMap(\.string) ?? []
    quirks = Set(words.compactMap { Quirk(rawValue: $0) })
    switch library.settings["format"]?.string {
    case _ where !route.front.isEmpty: language = .json
    case "atom": language = .atom
    case "json": language = .json
    case "negotiated":
      // Who takes anything gets Atom, as ever.
      let accept = Accept(request.headers["Accept"])
      let json = accept.quality(of: MediaType("application", "opds+json"))
      let atom = accept.quality(of: MediaType("application", "atom+xml"))
      language = json > atom ? .json : .atom
    default: language = .atom
    }
  }

  func answer(_ state: inout WorldState) -> Response {
    var visit = self
    do throws(Failure) {
      return try visit.document(&state)
    } catch {
      return error.asksWhoItIs ? challenge : error.response
    }
  }

  private mutating func document(_ state: inout WorldState) throws(Failure) -> Response {
    if isClosed { _ = try reader(state) }
    switch route.place {
    case .authenticationDocument: return authenticationDocument(.ok)
    case .token: return passwordToken(&state)
    case .patronToken: return try basicToken(&state)
    case .cover(let name): return try cover(name)
    case .content(let name): return try content(name, state)
    case .licenceRoot: return try licenceRoot()
    case .licenceStatus(let id): return secret(licenceStatus(id))
    case .freshLicence(let id): return secret(try freshLicence(id))
    case .licenceDeed(let id, let deed): return secret(try licenceDeed(id, deed, &state))
    case .rights, .right, .rightInfo, .checkout: return try distribute(&state)
    case .shelf: return try shelf(of: try reader(state))
    case .profile: return profile(try reader(state))
    case .borrow(let id, let word): return try borrow(id, word, &state)
    case .revoke(let id): return try revoke(id, &state)
    case .fulfil(let id, let word): return try fulfil(id, word, &state)
    case .entry(let id): return try entryDocument(id, try visitor(state))
    case .start: return whole(start)
    case .groups: return whole(groups)
    case .feed(let lane): return whole(try feed(lane))
    case .crawlable: return whole(crawlable)
    case .search: return whole(search)
    case .unknown: throw .notFound
    default: return try free(state)
    }
  }

  /// Where strangers see nothing, not even what there is.
  private var isClosed: Bool {
    guard library.settings["access"]?.string == "private" else { return false }
    return switch route.place {
    case .start, .groups, .feed, .crawlable, .search, .entry: true
    default: false
    }
  }

  // MARK: Addresses

  /// Where this library begins, without a slash at the end.
  var home: String { "\(request.base)/\(library.id)\(route.front)" }

  func at(_ path: String) -> String { "\(home)/\(path)" }

  /// Covers and files stand on a host of their own where the library says so.
  func media(_ path: String) -> String {
    let base = "\(request.base)/\(library.id)"
    guard quirks.contains(.otherHost) else { return "\(base)/\(path)" }
    return "\(base.replacing("://127.0.0.1", with: "://localhost"))/\(path)"
  }

  static func urn(_ id: String) -> String { "urn:uuid:\(id)" }

  func work(_ id: String) -> String {
    "works/URI/\(PercentCoding.encode(segment: Self.urn(id)))"
  }

  /// The address of this very request.
  var own: String { request.base + request.target }

  // MARK: Documents

  /// A feed that is the same for everybody.
  func whole(_ listing: Listing) -> Response {
    let isFeed = route.place != .search || request.query["q"] != nil
    return isFeed ? kept(feedResponse(listing)) : kept(description)
  }

  func feedResponse(_ listing: Listing) -> Response {
    switch language {
    case .atom:
      let kind = listing.kind == .navigation ? language.navigation : language.acquisition
      return written(AtomWriter(self).feed(listing), kind + ";api-version=1")
    case .json: return written(JSONWriter(self).feed(listing).bytes(), language.acquisition)
    }
  }

  func entryResponse(_ entry: Entry, _ status: Status = .ok) -> Response {
    var response =
      switch language {
      case .atom: written(AtomWriter(self).document(entry), language.entry)
      case .json: written(JSONWriter(self).publication(entry).bytes(), language.entry)
      }
    response.status = status
    return response
  }

  func written(_ bytes: [UInt8], _ type: String) -> Response {
    let type = quirks.contains(.wrongType) ? "text/html; charset=utf-8" : type
    var response = Response(headers: ["Content-Type": type], body: .bytes(spoilt(bytes)))
    response.headers.set("Vary", "Accept, Authorization")
    return response
  }

  /// With a version, so that whoever has it need not have it again.
  func kept(_ response: Response) -> Response {
    var response = response
    let sum = Hex.encode(Digest.sha256.hash(response.wholeBody)).prefix(20)
    let validators = Validators(etag: EntityTag(String(sum)))
    response.headers.set("Cache-Control", "public, no-transform, max-age=600, s-maxage=300")
    if validators.verdict(for: request.method, request.headers) == .notModified {
      return Response(.notModified, headers: ["ETag": "\"\(sum)\""])
    }
    response.validators = validators
    return response
  }

  func secret(_ response: Response) -> Response {
    var response = response
    response.headers.set("Cache-Control", "private, no-store")
    return response
  }

  // MARK: The lending desk

  mutating func lend<Result: Sendable>(
    _ state: inout WorldState,
    _ verb: (inout LendingLibrary, Moment) throws(LendingRefusal) -> Result
  ) throws(Failure) -> Result {
    let outcome = state.change(library.id, of: OPDSDialect.name) {
      library, now -> Swift.Result<Result, LendingRefusal> in
      do throws(LendingRefusal) {
        return .success(try verb(&library.lending, now))
      } catch { return .failure(error) }
    }
    if let changed = state.library(library.id, of: OPDSDialect.name) { library = changed }
    switch outcome {
    case .success(let result)?: return result
    case .failure(let refusal)?: throw Failure(refusal)
    case nil: throw .notFound
    }
  }
}
