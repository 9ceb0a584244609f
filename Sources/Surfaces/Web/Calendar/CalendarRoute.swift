import Crypto
package import HTTP
package import HTTPServer
import Machine
package import Phrasebook
package import Secrets

/// What an address with a secret in it opens.
package enum CalendarAnswer: Sendable {
  /// The tongue is the reader's: a calendar program has none.
  case opened([CalendarEvent], in: Tongue = .current)
  /// Not an address that is in use: one cannot be told from another.
  case unknown
  /// Too many wrong addresses lately, from there.
  case slowed(seconds: Int)
  case unavailable
}

/// Due dates as a feed for calendar programs, which can neither sign in nor be asked anything: whoever
/// has the address may read, and only that.
package struct CalendarRoute: Sendable {
  package static let path = Path.root / "calendar" / .text("address")
  private static let suffix = ".ics"

  private let open: @Sendable (Secret, Request) async -> CalendarAnswer

  package init(open: @escaping @Sendable (Secret, Request) async -> CalendarAnswer) {
    self.open = open
  }

  /// The path of the feed, below the gateway's own address.
  package static func path(_ secret: Secret) -> Secret {
    secret.revealText { Secret(path.print($0 + suffix)) }
  }

  package func add<Note: Sendable>(to router: inout Router<Note>, open note: Note) {
    router.on(.get, at: Self.path, note: note) { request, address in
      await answer(request, address)
    }
  }

  private func answer(_ request: Request, _ address: String) async -> Response {
    guard address.hasSuffix(Self.suffix), address.utf8.count <= 200 else {
      return WebRoutes.refusal(request, .notFound)
    }
    switch await open(Secret(String(address.dropLast(Self.suffix.count))), request) {
    case .opened(let events, let tongue):
      return Tongue.$current.withValue(tongue) { Self.feed(events) }
    case .unknown: return WebRoutes.refusal(request, .notFound)
    case .slowed(let seconds):
      var response = Response.problem(
        Problem(
          .tooManyRequests, code: "too_many_attempts",
          detail: "There were too many wrong addresses lately.",
          remedy: "Wait \(seconds) seconds."))
      response.headers.set("Retry-After", "\(seconds)")
      return response
    case .unavailable:
      var response = Response.problem(
        Problem(
          .serviceUnavailable, code: "database_unavailable",
          detail: "The gateway cannot look it up just now.", remedy: "Try again in a minute."))
      response.headers.set("Retry-After", "60")
      return response
    }
  }

  /// The feed as text.
  package static func text(_ events: [CalendarEvent]) -> String {
    ICalendar.text(events, named: said("Library books"))
  }

  static func feed(_ events: [CalendarEvent]) -> Response {
    let bytes = Array(text(events).utf8)
    // Heard once more, an event is the same one: that is no reason to fetch all of it again.
    let lasting = events.map { event in
      var event = event
      event.heardAt = .epoch
      return event
    }
    let digest = Digest.sha256.hash(text(lasting))
    let tag = EntityTag(Hex.encode(Array(digest.prefix(12))), weak: true)
    var response = Response.bytes(
      bytes, MediaType("text", "calendar", [.init("charset", "utf-8")]),
      validators: Validators(etag: tag))
    // One reader's: kept by nobody on the way, and asked for anew each time.
    response.headers.set("Cache-Control", "private, no-cache")
    response.headers.set("X-Robots-Tag", "noindex")
    return response
  }
}
