import Circulation

/// What the service's statuses mean to us: the table of §1.3.
enum Failures {
  static func reason(status: Int, retryAfter: Duration?) -> CirculationError.Reason {
    switch status {
    case 200..<400: .malformedResponse(expected: "an answer")
    case 400: .notConfigured(what: "a question as the service takes it")
    // A wall against programs that ask too much.
    case 401, 403: .notConfigured(what: "leave to ask: the service turns this machine away")
    case 404, 410: .notConfigured(what: "the address of the service")
    case 429, 503: .providerBusy(retryAfter: retryAfter)
    default: .providerUnavailable
    }
  }
}
