import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// A patron whose texts have what a database refuses: NUL, and more letters than an index takes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PatronTextTests {
  private struct Form: Hashable {
    let page: String
    let action: String
    var fields: [FormFields.Field]

    static func all(on page: String, _ text: String) -> [Form] {
      text.matches(of: #/(?s)<form([^>]*)>(.*?)<\/form>/#).compactMap { match in
        guard match.1.contains("method=\"post\""),
          let action = match.1.firstMatch(of: #/action="\/lib([^"]*)"/#)
        else { return nil }
        let fields = match.2.matches(of: #/<(?:input|button|textarea|select)([^>]*)>/#).compactMap {
          input in
          input.1.firstMatch(of: #/name="([^"]*)"/#).map { name in
            FormFields.Field(
              String(name.1),
              input.1.firstMatch(of: #/value="([^"]*)"/#).map { String($0.1) } ?? "")
          }
        }
        return Form(page: page, action: String(action.1), fields: fields)
      }
    }
  }

  /// Those that end what the others need.
  private static let endings = ["/sign-out", "/unlink", "/sessions", "/link"]

  private static func forms(_ visitor: inout Visitor) async throws -> [Form] {
    var found: Set<Form> = []
    var (ahead, seen) = (["/", "/my-books", "/you", "/settings", "/accounts"], Set<String>())
    while !ahead.isEmpty, seen.count < 60 {
      let path = ahead.removeFirst()
      guard seen.insert(path).inserted else { continue }
      let text = String(decoding: try await visitor.send(path).body, as: UTF8.self)
      for match in text.matches(of: #/href="\/lib(\/[^"#]*)"/#) {
        let target = String(match.1).replacing("&amp;", with: "&")
        if !target.hasPrefix("/assets"), !target.hasPrefix("/opds") { ahead.append(target) }
      }
      for form in Form.all(on: path, text)
      where !found.contains(where: { $0.action == form.action && $0.fields == form.fields }) {
        found.insert(form)
      }
    }
    return found.sorted { ($0.action, $0.page) < ($1.action, $1.page) }
  }

  @Test func `texts that no database takes are refused or stored as other text, never a fault`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await stage.furnish()
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway)
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        let forms = try await Self.forms(&patron)
        #expect(forms.count > 10)
        var sent = 0
        for form in forms where !Self.endings.contains(where: { form.action.hasSuffix($0) }) {
          for text in ["a\0b", "\0", String(repeating: "x\u{10FFFF}y\u{202E}", count: 2500)] {
            for field in Set(form.fields.map(\.name)) where field != "seal" {
              let fields = form.fields.map {
                $0.name == field ? FormFields.Field($0.name, text) : $0
              }
              let reply = try await patron.send(form.action, form: FormFields(fields))
              #expect(
                reply.status.code < 500,
                "\(form.action) \(field)=\(text.prefix(3).debugDescription): \(reply.status.code)")
              sent += 1
            }
          }
        }
        #expect(sent > 50)
        try await Self.signIn(with: "\0", gateway)
        try await Self.sync(stage, gateway)
      }
    }
  }

  private static func signIn(with junk: String, _ gateway: RunningGateway) async throws {
    for (card, pin) in [("\(junk)1", "1"), (Mock.ada, "1\(junk)")] {
      var stranger = Visitor(gateway, at: "203.0.113.7")
      #expect(try await stranger.signIn(card, pin) == 401)
      #expect(try await stranger.feed(as: card, pin) == 401)
      #expect(try await stranger.signIn(card, pin, library: junk) < 500)
    }
  }

  /// What apps send as JSON, as paths and as queries.
  private static func sync(_ stage: Stage, _ gateway: RunningGateway) async throws {
    let device = try await stage.json("admin", "device", "add", "phone")
    let password = try #require(device.item["password"]?.string)
    let pair = Data("\(Mock.ada):\(password)".utf8).base64EncodedString()
    let headers: Headers = [
      "Authorization": "Basic \(pair)", "Content-Type": "application/json",
      "x-auth-user": Mock.ada, "x-auth-key": Hex.encode(Digest.md5.hash(Array(password.utf8))),
    ]
    var app = Visitor(gateway, at: "203.0.113.8")
    let work = try #require(
      try await stage.rows("SELECT id FROM catalog_work LIMIT 1").first?.first)
    for (path, body) in [
      (
        "/opds/kosync/syncs/progress",
        #"{"document":"a\u0000","progress":"\u0000","percentage":0.5,"device":"\u0000","device_id":"\u0000"}"#
      ),
      (
        "/opds/works/w\(work)/progression",
        #"{"modified":"2026-01-01T00:00:00Z","progression":0.5,"device":{"id":"\u0000","name":"\u0000"},"references":["\u0000"],"title":"\u0000"}"#
      ),
    ] {
      let reply = try await app.send(path, .put, headers, body: Array(body.utf8))
      #expect(reply.status.code < 500, "\(path): \(reply.status.code)")
    }
    let long = String(repeating: "%F0%9F%98%80", count: 400)
    for path in [
      "/opds/1/search?q=%00", "/opds/1/works/%00", "/opds/1/works/a%2500", "/opds/1/lanes/%00",
      "/opds/kosync/syncs/progress/%00", "/opds/1/search?q=\(long)",
      "/opds/1/search?q=%22%27%28%3A%2A%26%7C%21%3C-%3E", "/search?q=%22%27%28%3A%2A%26%7C%21",
    ] {
      let reply = try await app.send(path, .get, headers)
      #expect(reply.status.code < 500, "\(path.prefix(40)): \(reply.status.code)")
    }
  }
}
