import Circulation
import HTTPClient

/// What it means to an operation that a request came to nothing.
extension Session {
  func error(
    _ trouble: Trouble, _ operation: Circulation.Operation, _ call: Call
  ) -> CirculationError {
    var (reason, says) = meaning(of: trouble, call)
    if settings.hidesNetwork, reason != .cancelled {
      (reason, says) = (.networkFailure, Self.cause(of: trouble) ?? says)
    }
    return CirculationError(reason, from: provider, during: operation, providerSays: says)
  }

  private static func cause(of trouble: Trouble) -> String? {
    guard case .transport(.refusedAddress(let refusal)) = trouble else { return nil }
    return refusal.reason == .notEncrypted
      ? "a card is sent to \(refusal.host) by https only, or where http.patron_hosts names it"
      : "\(refusal.host) is in a private network, and http.patron_hosts does not name it"
  }

  private func meaning(of trouble: Trouble, _ call: Call) -> (CirculationError.Reason, String?) {
    switch trouble {
    case .circuitOpen: return (.providerUnavailable, "not asked: it failed repeatedly a moment ago")
    case .noPlace(.deadline): return (.deadlineExceeded, nil)
    case .noPlace(.cancelled): return (.cancelled, nil)
    case .transport(let error):
      switch error {
      case .cancelled, .stopped, .stoppedBySink: return (.cancelled, nil)
      case .deadlineExceeded, .timedOut: return (.deadlineExceeded, nil)
      case .refusedAddress:
        return (.notConfigured(what: "an address that may be called (http.allow_hosts)"), nil)
      case .invalidRequest: return (.notConfigured(what: "a usable address"), nil)
      case .tooLarge: return (.malformedResponse(expected: "an answer of bounded size"), nil)
      case .tooManyRedirects, .refusedRedirect:
        return (.malformedResponse(expected: "an answer, not a redirect"), nil)
      case .malformedReply: return (.malformedResponse(expected: "HTTP"), nil)
      case .tls(let fault, _): return (.networkFailure, "TLS: \(fault)")
      case .cannotResolve, .cannotConnect, .proxyRefused, .connectionLost, .sending, .storing,
        .other:
        return (.networkFailure, error.word)
      }
    }
  }
}
