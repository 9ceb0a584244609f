import FrontDesk
import HTTP
package import HTTPServer
import OPDS
import Registry

extension Facade {
  /// Answers a request of somebody who may do this: signed in, with a password that is made for it.
  func answering(
    _ request: Request, by road: Road, for scope: Device.Scope, _ audience: Audience = .readers,
    _ answer: @Sendable (Errand) async throws(Problem) -> Response
  ) async -> Response {
    do throws(Problem) {
      let version = try road.version(for: request)
      let head = Letterhead(site: request.site, version: version, signer: signer)
      // Routes for lending change something by GET, too, as the format wants; a HEAD never does.
      let changes = scope == .lend ? request.method != .head : request.method.changes
      if let refusal = Self.refusal(of: request, changing: changes) { throw refusal }
      let visitor: Visitor
      switch await stock.admit(request) {
      case .visitor(let known): visitor = known
      case .unknown: return signIn(request, head)
      case .needsLibrary: return signIn(request, head, needsLibrary: true)
      case .refused(let problem): throw problem
      case .slowed(let seconds): throw Self.slowed(seconds)
      }
      let isLetIn = visitor.reader != nil || (audience == .anybody && settings.isPublic)
      guard isLetIn else { return signIn(request, head) }
      guard visitor.reader?.scopes.contains(scope) ?? true else { throw Self.outOfScope(scope) }
      return try await answer(errand(request, head, visitor).0)
    } catch {
      return Self.refusal(error)
    }
  }

  static func outOfScope(_ scope: Device.Scope) -> Problem {
    Problem(
      .forbidden, code: "out_of_scope",
      detail: "This app's password is not made for \(scope.rawValue).",
      remedy: "Make one with this scope: carrel admin device add.")
  }

  static func slowed(_ seconds: Int) -> Problem {
    let hours = (seconds + 3_599) / 3_600
    let span = seconds <= 7_200 ? "\(seconds) seconds" : "\(hours) hours"
    return Problem(
      .tooManyRequests, code: "too_many_attempts",
      detail: "There were too many wrong passwords lately.",
      remedy: "Wait \(span), and look the password up meanwhile: an app may still try an old one.",
      retryAfter: seconds)
  }

  /// The same errand with the shelf as it is now.
  func again(_ errand: Errand) async throws(Problem) -> Errand {
    noteChange()
    return try await self.errand(errand.request, errand.head, errand.visitor).0
  }

  /// What one reader did is kept by nobody on the way (§7).
  func seal(_ response: inout Response) {
    response.headers.set("Cache-Control", "private, no-store")
    response.headers.set("Vary", "Accept, Authorization")
    Sharing.add(to: &response.headers)
  }

  /// A browser sends a password that it holds along with what any page asks for. So it changes nothing
  /// that a page of another site asks for, and nothing by a GET. PUT and DELETE from another site pass: a
  /// browser asks for permission first, and gets it for requests without its own password only.
  private static func refusal(of request: Request, changing: Bool) -> Problem? {
    let site = request["Sec-Fetch-Site"]?.lowercased()
    guard changing else {
      // Scripts that bring a password of their own ask in this mode.
      let isEmbedded = request["Sec-Fetch-Mode"]?.lowercased() != "cors"
      return site == "cross-site" && isEmbedded ? crossSite : nil
    }
    let origin = request.webOrigin
    if origin == .app { return nil }
    let isElsewhere = site.map { !["same-origin", "none"].contains($0) } ?? (origin == .other)
    if isElsewhere, ![.put, .delete].contains(request.method) { return crossSite }
    guard request.method == .get, site != nil || request.isOfBrowser else { return nil }
    return Problem(
      .forbidden, code: "browser_get", detail: "A browser changes nothing by opening an address.",
      remedy: "Use the book's page, or send POST.")
  }

  private static let crossSite = Problem(
    .forbidden, code: "cross_site", detail: "Another page asked for this.",
    remedy: "Open it in the catalogue itself.")
}

/// Whose script asks.
private enum WebOrigin {
  case own, other
  /// Made of web pages, with a scheme of its own that no page of the web can have.
  case app
}

extension Request {
  /// Over plain http browsers send no `Sec-Fetch-Site`. They do not name feeds as what they want, as
  /// reading apps do that are made of a browser.
  fileprivate var isOfBrowser: Bool {
    let wanted = self["Accept"]?.lowercased() ?? ""
    return self["User-Agent"]?.hasPrefix("Mozilla/") == true && !wanted.contains("atom")
      && !wanted.contains("opds")
  }

  /// Nil where no script asks.
  fileprivate var webOrigin: WebOrigin? {
    guard let origin = self["Origin"] else { return nil }
    if isOwnOrigin(origin) { return .own }
    guard let end = origin.firstRange(of: "://") else { return .other }
    return ["http", "https"].contains(origin[..<end.lowerBound].lowercased()) ? .other : .app
  }
}

extension Method {
  fileprivate var changes: Bool { ![.get, .head].contains(self) }
}
