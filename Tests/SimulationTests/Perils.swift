import MockKit

/// What may befall one request to a library.
enum Peril: Sendable, Hashable {
  /// Nobody is there.
  case closed
  case lostBefore, lostAfter
  /// Carried out when nobody waits any more.
  case late(seconds: Int64)
  case stall
  /// By the library itself, in its own words.
  case mock(Fault.Kind)

  /// Fates that may meet any request. What lies about a shelf in a form that can be understood is not
  /// among them: a library that tells lies is believed by its own readers.
  static let all: [Peril] =
    [.closed, .lostBefore, .lostAfter, .stall]
    + [2, 5, 9].map { Peril.late(seconds: $0) }
    + [
      .status(500), .status(503), .status(401), .status(403), .statusAfter(500), .statusAfter(503),
      .rateLimit(retryAfter: 1), .duplicate, .tokenExpired, .malformed, .garbage, .empty,
      .truncate, .wrongType, .gatewayPage, .reorder,
    ].map { Peril.mock($0) }
}
