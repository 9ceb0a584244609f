import HTTP
import HTTPServer
import Machine
import Phrasebook
import Secrets
import Testing

@testable import Web

private let heard = Timestamp(rfc3339: "2026-12-01T08:00:00Z") ?? .epoch

private func event(
  _ summary: String = "Due: Emma", at moment: String = "2026-12-24T17:05:09Z",
  key: [String] = ["due", "city", "1"]
) -> CalendarEvent {
  CalendarEvent(
    key: key, summary: summary, when: .moment(Timestamp(rfc3339: moment) ?? .epoch),
    heardAt: heard)
}

/// The content lines of a calendar, put together again (RFC 5545 §3.1).
private func lines(_ text: String) -> [String] {
  text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
}

@Suite struct `A calendar` {
  @Test func `A calendar is written as RFC 5545 has it`() throws {
    let last = CalendarEvent(
      key: ["offer", "city", "2"], summary: "Pick up: Walden",
      when: .day(try #require(CivilDate(year: 2026, month: 12, day: 31))), heardAt: heard)
    let text = ICalendar.text([event(), last], named: "Books")
    let told = lines(text)
    #expect(told.first == "BEGIN:VCALENDAR" && told.last == "END:VCALENDAR")
    #expect(told.contains("VERSION:2.0") && told.contains { $0.hasPrefix("PRODID:") })
    #expect(told.contains("DTSTART:20261224T170509Z") && told.contains("DTSTAMP:20261201T080000Z"))
    #expect(told.contains("DTSTART;VALUE=DATE:20261231"))
    #expect(told.contains("DTEND;VALUE=DATE:20270101"))
    #expect(told.count { $0 == "BEGIN:VEVENT" } == 2 && told.count { $0 == "END:VEVENT" } == 2)
    #expect(!text.contains("VALARM"))
    #expect(text.utf8.count { $0 == 0x0A } == text.utf8.count { $0 == 0x0D })
  }

  @Test func `A calendar is a calendar also where nothing is due`() {
    let told = lines(ICalendar.text([], named: "Books"))
    #expect(!told.contains("BEGIN:VEVENT") && told.last == "END:VCALENDAR")
  }

  @Test(arguments: [
    ("plain", "plain"), ("a;b,c\\d", "a\\;b\\,c\\\\d"), ("a\nb\r\nc\rd", "a\\nb\\nc\\nd"),
    ("a\u{2028}b\tc", "a\\nb c"), ("a\u{0}\u{7}b", "ab"), ("Ü🦊", "Ü🦊"),
    ("x\r\nBEGIN:VEVENT", "x\\nBEGIN:VEVENT"),
  ])
  func `A calendar marks what would be read as something else`(text: String, written: String) {
    #expect(ICalendar.escaped(text) == written)
  }

  @Test(arguments: 60..<90)
  func `A calendar breaks no line after more than 75 octets, and none in a character`(length: Int) {
    for sign in ["a", "ü", "€", "🦊"] {
      let line =
        "SUMMARY:" + String(repeating: "x", count: length % 7)
        + String(repeating: sign, count: length * 2)
      let folded = ICalendar.folded(line)
      let parts = folded.replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(parts.allSatisfy { $0.utf8.count <= 75 })
      #expect(parts.dropFirst().allSatisfy { $0.hasPrefix(" ") })
      #expect(folded.replacing("\r\n ", with: "") == line)
    }
  }

  @Test func `A calendar names an event the same when its date moves, and no other so`() {
    func identity(_ event: CalendarEvent) -> String? {
      lines(ICalendar.text([event], named: "B")).first { $0.hasPrefix("UID:") }
    }
    let first = identity(event())
    #expect(first == identity(event("Due: Emma again", at: "2027-01-01T00:00:00Z")))
    #expect(first != identity(event(key: ["due", "city1", ""])))
    #expect(first != identity(event(key: ["offer", "city", "1"])))
    #expect(first?.contains("city") == false)
  }
}

@Suite struct `The address of a calendar` {
  private func ask(
    _ target: String, _ headers: Headers = [:], _ method: Method = .get,
    answer: CalendarAnswer = .opened([event()])
  ) async throws -> Response {
    var routes = Router<Int>(refuse: WebRoutes.refusal)
    CalendarRoute { secret, _ in
      guard case .opened = answer else { return answer }
      return secret.revealText { $0 == "the-secret" } ? answer : .unknown
    }.add(to: &routes, open: 0)
    return await routes.handler(try Request(method, target, headers: headers))
  }

  @Test func `the secret address of a calendar returns its feed, marked as private`() async throws {
    #expect(
      CalendarRoute.path(Secret("the-secret")).revealText { $0 } == "/calendar/the-secret.ics")
    let response = try await ask("/calendar/the-secret.ics")
    #expect(response.status == .ok)
    #expect(response.headers["Content-Type"] == "text/calendar; charset=utf-8")
    #expect(response.headers["Cache-Control"] == "private, no-cache")
  }

  @Test func `The address of a calendar has the name that its reader's tongue gives it`()
    async throws
  {
    let response = try await ask(
      "/calendar/the-secret.ics", answer: .opened([event()], in: .german))
    #expect(response.validators.etag != nil)
    let text = Tongue.$current.withValue(.german) { CalendarRoute.text([event()]) }
    #expect(text.contains("NAME:Bücher aus der Bibliothek\r\n"))
    let english = try await ask("/calendar/the-secret.ics")
    #expect(response.validators.etag != english.validators.etag)
  }

  @Test func `The address of a calendar answers that nothing is new`() async throws {
    let first = try await ask("/calendar/the-secret.ics")
    let tag = try #require(first.validators.etag)
    let request = try Request(
      .get, "/calendar/the-secret.ics", headers: ["If-None-Match": "\(tag)"])
    let again = try await ask("/calendar/the-secret.ics")
    #expect(again.reply(to: request).status == .notModified)
    var later = event()
    later.heardAt = .epoch
    let heardAgain = try await ask("/calendar/the-secret.ics", answer: .opened([later]))
    #expect(heardAgain.validators.etag == tag)
    let other = try await ask(
      "/calendar/the-secret.ics", answer: .opened([event("Due: Walden")]))
    #expect(other.validators.etag != tag)
  }

  @Test(arguments: ["/calendar/wrong.ics", "/calendar/the-secret", "/calendar/.ics", "/calendar"])
  func `The address of a calendar is like any page that is not there when it is wrong`(
    target: String
  ) async throws {
    let response = try await ask(target)
    let nothing = try await ask("/nothing")
    #expect(response.status == .notFound)
    let request = try Request(.get, target)
    #expect(response.reply(to: request).bytes == nothing.reply(to: request).bytes)
    #expect(response.headers == nothing.headers)
  }

  @Test func `the secret address of a calendar accepts no method that writes`() async throws {
    for method in [Method.put, .post, .delete] {
      #expect(try await ask("/calendar/the-secret.ics", [:], method).status == .methodNotAllowed)
    }
  }

  @Test func `The address of a calendar is told to the log by its shape alone`() async throws {
    #expect(try await ask("/calendar/the-secret.ics").route == "/calendar/{address}")
    #expect(try await ask("/calendar/wrong.ics").route == "/calendar/{address}")
  }

  @Test
  func `the calendar address answers 429 when slowed down and 503 when unavailable`() async throws {
    let slowed = try await ask("/calendar/the-secret.ics", answer: .slowed(seconds: 90))
    #expect(slowed.status == .tooManyRequests && slowed.headers["Retry-After"] == "90")
    let down = try await ask("/calendar/the-secret.ics", answer: .unavailable)
    #expect(down.status == .serviceUnavailable)
  }
}
