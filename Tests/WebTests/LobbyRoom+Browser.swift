import Database
import FrontDesk
import HTTP
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A browser before the pages of the room.
extension LobbyRoom {
  struct Answer: Sendable {
    let status: Int
    let head: Headers
    let text: String

    var location: String? { head["Location"] }

    func value(_ name: String) -> String? {
      guard let regex = try? Regex("name=\"\(name)\" value=\"([^\"]*)\"") else { return nil }
      return text.firstMatch(of: regex)?.output[1].substring.map(String.init)
    }
  }

  /// Keeps cookies as a browser does. A form goes as one of ours unless a test says otherwise.
  @discardableResult
  func ask(
    _ target: String, _ headers: Headers = [:], form: FormFields? = nil,
    files: [(String, [UInt8])]? = nil
  ) async throws -> Answer {
    var headers = headers
    let cookies = jar.withLock { $0 }.sorted { $0.key < $1.key }
    if !cookies.isEmpty, headers["Cookie"] == nil {
      headers.set("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
    }
    var body = Array((form?.encoded ?? "").utf8)
    if let files {
      headers.set("Content-Type", "multipart/form-data; boundary=paper")
      body = Self.multipart(form ?? FormFields(), files)
    } else if form != nil {
      headers.set("Content-Type", MediaType.form.description)
    }
    let request = try HTTPServer.Request(
      form == nil ? .get : .post, target, headers: headers, body: body, policy: policy)
    let response = await handler(request)
    let reply = response.reply(to: request)
    for field in reply.headers.all("Set-Cookie") {
      let pair = field.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      jar.withLock { $0[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1]) }
    }
    return Answer(
      status: reply.status.code, head: reply.headers,
      text: String(decoding: reply.bytes ?? [], as: UTF8.self))
  }

  private static func multipart(_ form: FormFields, _ files: [(String, [UInt8])]) -> [UInt8] {
    var body: [UInt8] = []
    for field in form.fields {
      body += Array(
        "--paper\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n\r\n\(field.value)\r\n"
          .utf8)
    }
    for (name, bytes) in files {
      body += Array(
        "--paper\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"x.jpg\"\r\n\r\n"
          .utf8)
      body += bytes + Array("\r\n".utf8)
    }
    return body + Array("--paper--\r\n".utf8)
  }

  /// Presses a button of one of the reader's own pages: the form goes to where it stands.
  @discardableResult
  func send(
    _ form: FormFields, to address: String, from page: String? = nil,
    files: [(String, [UInt8])]? = nil
  ) async throws -> Answer {
    var whole = form
    whole.add("seal", try await ask(page ?? address).value("seal") ?? "")
    return try await ask(address, form: whole, files: files)
  }

  /// As if all sessions had begun, and been proved, eleven minutes ago.
  func age() async throws {
    try await store.write { tx throws(DatabaseError) in
      _ = try tx.execute(
        "UPDATE registry_pass SET made_at = made_at - 660000, fresh_at = fresh_at - 660000")
    }
  }

  func cookie(_ name: String) -> String? { jar.withLock { $0[name] } }
  func keep(_ name: String, _ value: String?) { jar.withLock { $0[name] = value } }

  @discardableResult
  func signIn(
    card: String = "21000001", pin: String = "1234", then: String? = nil, stay: Bool = false
  ) async throws -> Answer {
    let door = try await ask("/sign-in")
    var form: FormFields = ["card": card, "pin": pin]
    if let seal = door.value("seal") { form.add("seal", seal) }
    if let then { form.add("then", `then`) }
    if stay { form.add("stay", "month") }
    return try await ask("/sign-in", form: form)
  }

  /// The address of a book's page, found by searching.
  func book(_ title: String) async throws -> String {
    let found = try await ask("/search?\(FormFields([.init("q", title)]).encoded)")
    let match = try #require(found.text.firstMatch(of: /class="line" href="([^"]*)"/))
    return String(match.1)
  }

  /// Presses the button of this deed on a page of the book.
  @discardableResult
  func press(
    _ deed: String, of item: String, at address: String, _ more: FormFields = FormFields()
  ) async throws -> Answer {
    let page = try await ask(address)
    var form: FormFields = [
      "do": deed, "library": "town", "item": item, "seal": page.value("seal") ?? "",
    ]
    for field in more.fields { form.add(field.name, field.value) }
    return try await ask(address, form: form)
  }
}
