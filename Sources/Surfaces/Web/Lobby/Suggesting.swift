import FrontDesk
import HTTP
import HTTPServer
import JSON
import Markup

extension Lobby {
  /// What the search field may be about to hold, for the script alone: a small document, and nothing
  /// of a reader in it but what their libraries have.
  func suggest(_ request: Request) async -> Response {
    do throws(Problem) {
      let caller = try await caller(request)
      guard caller.reader != nil || settings.isPublic else {
        throw Problem(.unauthorized, code: "sign_in_needed", detail: "Sign in first.")
      }
      let words = String((request.query["q"] ?? "").prefix(Self.mostTyped))
      let found =
        words.allSatisfy(\.isWhitespace)
        ? [] : try await stock.suggestions(for: words.composed, caller.reach)
      let items = found.map { JSONValue.string(Words.shortened($0, to: 120)) }
      var response = Response.text(
        JSONValue.object(JSONObject([.init("items", .array(items))])).text(), .json)
      response.headers.set("Cache-Control", "private, max-age=60")
      response.headers.set("Vary", "Cookie")
      return response
    } catch {
      var response = Response.problem(error)
      response.headers.set("Cache-Control", "no-store")
      return response
    }
  }

  private static var mostTyped: Int { 100 }
}
