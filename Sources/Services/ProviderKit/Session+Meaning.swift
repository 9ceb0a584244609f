import Circulation
import HTTPClient

/// What it means to an operation that a request came to nothing.
extension Session {
  func error(
    _ trouble: Trouble, _ operation: Circulation.Operation, _ call: Call
  ) -> CirculationError {
    let (reason, says) = meaning(of: trouble, call)
    return CirculationError(reason, from: provider, during: operation, providerSays: says)
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
        return (.networkFailure, String(String(describing: error).prefix { $0 != "(" }))
      }
    }
  }
}
