import MockKit

/// One thing that goes wrong, and how an operation may end that meets it. This is the whole table: a
/// cell of the matrix that ends otherwise is a defect.
struct Peril: Sendable {
  let name: String
  let harm: Harm
  /// The codes of the reasons that may be given.
  let reasons: Set<String>
  /// How an operation ends that meets nothing but this.
  let end: End
  /// Whether the service may have done the thing and say otherwise.
  var isDeceiving = false
  /// What the reader allows; short where the service never answers.
  var patience = Duration.seconds(8)

  enum Harm: Sendable {
    /// Nobody is there to connect to.
    case closed
    case fault(Fault.Kind)
  }

  enum End: Sendable {
    case mustFail, mayPass
    /// May pass only where the answer is no more than a nod.
    case mayNod
  }
}

extension Peril {
  private static let lost: Set = ["network_failure", "provider_unavailable"]
  private static let late: Set = ["deadline_exceeded"]
  private static let down: Set = ["provider_unavailable"]
  private static let odd: Set = ["malformed_response", "provider_unavailable"]
  private static let busy: Set = ["provider_busy", "provider_unavailable"]
  private static let shut: Set = ["credentials_rejected", "not_configured"]
  /// What a missing page means depends on what was asked for.
  private static let missing: Set = [
    "not_configured", "title_gone", "no_licenses", "not_borrowed", "not_on_hold",
  ]
  /// What is said of a thing that has been done already.
  private static let again: Set = [
    "already_borrowed", "already_on_hold", "not_borrowed", "not_on_hold", "format_unavailable",
    "currently_available",
  ]

  static let all: [Peril] = connections + statuses + bodies + states

  private static let connections = [
    Peril(name: "nobody listens", harm: .closed, reasons: lost, end: .mustFail),
    Peril(name: "reset", harm: .fault(.reset), reasons: lost, end: .mustFail),
    deceiving("reset after the deed", .resetAfter, lost),
    Peril(
      name: "no answer", harm: .fault(.timeout), reasons: late, end: .mustFail,
      patience: .milliseconds(300)),
    Peril(
      name: "no answer after the deed", harm: .fault(.timeoutAfter), reasons: late, end: .mustFail,
      isDeceiving: true, patience: .milliseconds(300)),
    Peril(
      name: "a byte a second", harm: .fault(.bandwidth(bytesPerSecond: 1)), reasons: late,
      // An answer without a body is whole at once.
      end: .mayNod, isDeceiving: true, patience: .milliseconds(300)),
    deceiving("cut at the start", .cut(percent: 0), lost),
    deceiving("cut at a quarter", .cut(percent: 25), lost),
    deceiving("cut at the half", .cut(percent: 50), lost),
    deceiving("cut at three quarters", .cut(percent: 75), lost),
    deceiving("a length that is wrong", .wrongLength, lost, .mayNod),
    Peril(
      name: "a connection that closes late", harm: .fault(.slowClose(milliseconds: 20)),
      reasons: [], end: .mayPass),
    Peril(
      name: "pieces of a few bytes", harm: .fault(.slicer(bytes: 97)), reasons: [], end: .mayPass),
  ]

  private static let statuses = [
    status(401, shut), status(403, ["not_configured", "credentials_rejected"]),
    status(404, missing), status(409, odd), status(500, down), status(503, busy),
    Peril(
      name: "429 with Retry-After", harm: .fault(.rateLimit(retryAfter: 1)), reasons: busy,
      end: .mustFail),
    Peril(
      name: "429 for a day", harm: .fault(.rateLimit(retryAfter: 86_400)), reasons: busy,
      end: .mustFail),
    deceiving("500 after the deed", .statusAfter(500), down),
    deceiving("503 after the deed", .statusAfter(503), busy),
    Peril(
      name: "a redirect to another host", harm: .fault(.redirect(to: "http://books.example/")),
      reasons: odd, end: .mustFail),
  ]

  private static let bodies = [
    deceiving("empty with status 200", .empty, odd, .mayNod),
    deceiving("garbage", .garbage, odd, .mayNod),
    deceiving("half a document", .truncate, odd, .mayNod),
    deceiving("half a document and rubbish", .malformed, odd, .mayNod),
    deceiving("a web page with status 200", .wrongType, odd, .mayNod),
    Peril(
      name: "a web page in place of the deed", harm: .fault(.gatewayPage), reasons: odd,
      end: .mustFail),
    deceiving("lists for objects", .wrongShape, odd, .mayPass),
    deceiving("numbers for texts", .wrongScalar, odd, .mayPass),
    // A reader that believes the byte order mark, as XML wants it, has read it rightly.
    deceiving("another charset", .wrongCharset, odd, .mayPass),
    deceiving("two mebibytes too many", .padded(bytes: 2 << 20), odd, .mayPass),
    deceiving("ten megabytes of one text", .oneText(bytes: 10_000_000), odd, .mayNod),
    Peril(name: "another order", harm: .fault(.reorder), reasons: [], end: .mayPass),
  ]

  private static let states = [
    Peril(
      name: "a token that always runs out", harm: .fault(.tokenExpired), reasons: shut,
      end: .mayPass),
    Peril(
      name: "carried out twice", harm: .fault(.duplicate), reasons: again, end: .mayPass,
      isDeceiving: true),
    Peril(
      name: "an answer from before", harm: .fault(.stale), reasons: again, end: .mayPass,
      isDeceiving: true),
  ]

  private static func status(_ code: Int, _ reasons: Set<String>) -> Peril {
    Peril(name: "\(code)", harm: .fault(.status(code)), reasons: reasons, end: .mustFail)
  }

  /// Where the thing is done and the answer spoilt.
  private static func deceiving(
    _ name: String, _ kind: Fault.Kind, _ reasons: Set<String>, _ end: End = .mustFail
  ) -> Peril {
    Peril(name: name, harm: .fault(kind), reasons: reasons, end: end, isDeceiving: true)
  }
}
