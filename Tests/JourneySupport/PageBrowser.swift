import Foundation
package import HTTP
import HTTPClient
import Testing

/// Keeps what cookies it is given, and follows nothing by itself.
package struct PageBrowser {
  package let gateway: RunningGateway
  package var cookies: [String: String] = [:]

  package init(gateway: RunningGateway) { self.gateway = gateway }

  package mutating func ask(
    _ path: String, form: FormFields? = nil
  ) async throws -> FeedApp.Answer {
    let app = gateway.app(accept: "text/html", credentials: false)
    let root = gateway.site.dropLast("/lib".count)
    var headers: Headers = [
      "Cookie": cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        .joined(separator: "; ")
    ]
    if form != nil { headers.set("Content-Type", MediaType.form.description) }
    let answer = try await app.ask(
      root + path, form == nil ? .get : .post, headers, body: form.map { Array($0.encoded.utf8) },
      redirects: .returned)
    for field in answer.headers.all("Set-Cookie") {
      #expect(field.contains("; Secure") && field.contains("; Path=/lib;"))
      #expect(field.contains("; HttpOnly") && field.contains("; SameSite=Lax"))
      let pair = field.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1])
    }
    return answer
  }

  /// The value of the first field of that name.
  package func field(_ name: String, _ answer: FeedApp.Answer) throws -> String {
    let found = answer.text.firstMatch(of: try Regex("name=\"\(name)\" value=\"([^\"]*)\""))
    return String(try #require(found?.output[1].substring))
  }

  package mutating func signIn(_ card: String, _ pin: String) async throws {
    let door = try await ask("/lib/sign-in")
    let inside = try await ask(
      "/lib/sign-in", form: ["card": card, "pin": pin, "seal": try field("seal", door)])
    #expect(inside.status == 303)
  }

  /// A form of the page at that address, with its seal.
  package mutating func post(_ path: String, _ fields: FormFields) async throws -> FeedApp.Answer {
    var form = fields
    form.add("seal", try field("seal", try await ask(path)))
    return try await ask(path, form: form)
  }
}

extension FeedApp.Answer {
  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
