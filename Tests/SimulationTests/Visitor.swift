import Foundation
import HTTP
import HTTPServer
import Registry

@testable import Bootstrap

/// Somebody at the gateway's door: with a pass, with an app's password, or with nothing.
struct Visitor: Sendable {
  let gateway: Gateway
  var fields: Headers = [:]

  struct Answer {
    let status: Status
    let headers: Headers
    let text: String
  }

  func ask(
    _ method: HTTP.Method, _ target: String, _ form: FormFields? = nil, from site: String? = nil
  ) async throws -> Answer {
    var headers = fields
    if form != nil { headers.set("Content-Type", "application/x-www-form-urlencoded") }
    if let site { headers.set("Sec-Fetch-Site", site) }
    let body = form.map { Array($0.encoded.utf8) } ?? []
    let request = try HTTPServer.Request(method, target, headers: headers, body: body)
    let response = await gateway.handler(request)
    let reply = response.reply(to: request)
    return Answer(
      status: reply.status, headers: reply.headers,
      text: String(decoding: reply.bytes ?? [], as: UTF8.self))
  }

  /// Everything that its pages lead to, from where anybody begins.
  func walk(upTo most: Int = 150) async throws -> (pages: [String: Answer], forms: [Form]) {
    var pages: [String: Answer] = [:]
    var forms: Set<Form> = []
    var ahead = gateway.routes.table.filter {
      $0.methods.contains(.get) && !$0.pattern.contains("{") && !$0.pattern.hasPrefix("/opds")
    }.map(\.pattern)
    while !ahead.isEmpty, pages.count < most {
      let target = ahead.removeFirst()
      guard pages[target] == nil, !target.hasPrefix("/assets") else { continue }
      let answer = try await ask(.get, target)
      pages[target] = answer
      for match in answer.text.matches(of: #/(?:href|src)="(\/[^"#]*)/#) {
        ahead.append(Self.plain(String(match.1)))
      }
      forms.formUnion(Form.all(in: answer.text))
    }
    return (pages, forms.sorted { $0.action < $1.action })
  }

  static func plain(_ text: String) -> String {
    text.replacingOccurrences(of: "&amp;", with: "&").replacingOccurrences(of: "&quot;", with: "\"")
  }
}

/// A form of a page, as a browser would send it.
struct Form: Hashable {
  let action: String
  var fields: [FormFields.Field]

  var sealed: Bool { fields.contains { $0.name == "seal" } }

  func with(seal: String?) -> FormFields {
    var kept = fields.filter { $0.name != "seal" }
    if let seal { kept.append(FormFields.Field("seal", seal)) }
    return FormFields(kept)
  }

  static func all(in page: String) -> [Form] {
    page.matches(of: #/(?s)<form([^>]*)>(.*?)<\/form>/#).compactMap { match in
      guard match.1.contains("method=\"post\""),
        let action = match.1.firstMatch(of: #/action="([^"]*)"/#)
      else { return nil }
      let fields = match.2.matches(of: #/<(?:input|button)([^>]*)>/#).compactMap { input in
        input.1.firstMatch(of: #/name="([^"]*)"/#).map { name in
          FormFields.Field(
            String(name.1),
            Visitor.plain(input.1.firstMatch(of: #/value="([^"]*)"/#).map { String($0.1) } ?? ""))
        }
      }
      return Form(action: Visitor.plain(String(action.1)), fields: fields)
    }
  }
}
