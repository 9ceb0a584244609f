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
      if let refusal = Self.crossing(request) { throw refusal }
      let visitor: Visitor
      switch await stock.admit(request) {
      case .visitor(let known): visitor = known
      case .unknown: return signIn(request, head)
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

  /// A browser sends a password it remembers along with a picture or a link of any page; such a page
  /// must not borrow for its visitor. Scripts that bring credentials themselves are asked for by
  /// another mode.
  private static func crossing(_ request: Request) -> Problem? {
    guard request["Sec-Fetch-Site"]?.lowercased() == "cross-site",
      request["Sec-Fetch-Mode"]?.lowercased() != "cors"
    else { return nil }
    return Problem(
      .forbidden, code: "cross_site", detail: "Another page asked for this.",
      remedy: "Open it in the catalogue itself.")
  }
}
