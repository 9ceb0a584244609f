import HTTP
import HTTPServer
import OPDS

/// Whether somebody who came to do something may.
enum Entrance: Sendable {
  case errand(Errand)
  /// What is said at the door instead.
  case refusal(Response)
}

extension Facade {
  /// For what readers do, and not only look at: signed in, in the version they read, with the shelf
  /// as it is known now.
  func entrance(_ request: Request, by road: Road) async -> Entrance {
    do throws(Problem) {
      let head = Letterhead(
        site: request.site, version: try road.version(for: request), signer: signer)
      guard request["Authorization"] != nil else { return .refusal(signIn(request, head)) }
      switch await stock.admit(request) {
      case .refused(let problem): return .refusal(Self.refusal(problem))
      case .unknown, .visitor(.anonymous): return .refusal(signIn(request, head))
      case .visitor(let visitor):
        watch.forget()
        return .errand(try await errand(request, head, visitor).errand)
      }
    } catch {
      return .refusal(Self.refusal(error))
    }
  }

  /// What came of it, for this reader alone.
  func response(
    _ draft: Draft, _ errand: Errand, status: Status = .ok
  ) async throws(Problem) -> Response {
    var response = Response.bytes(
      try await bytes(of: draft, errand), type(of: draft, errand.version), status: status)
    for field in headers(of: Draft(draft.body, .kept), errand.visitor).fields {
      response.headers.set(field.name, field.value)
    }
    return response
  }
}
