import Circulation
import Lines
import SIP2

/// Why a conversation came to nothing.
enum SIP2Trouble: Error, Sendable, Hashable {
  case line(LineError)
  /// Sums that stay wrong, answers to other questions, garbage. The request may have been carried out.
  case unreadable
  /// It could not read us however often we said it.
  case unheard
  /// It answered without sums and numbers, where the settings want them.
  case unproved
  /// Our own sign-in was refused, or the line was closed upon it.
  case loginRefused
  /// It speaks before it is spoken to, and the settings do not say so.
  case greets
  /// It says that it is off-line.
  case offline
  /// A value of ours has no bytes in its charset, or would end a field.
  case unwritable(WireFault)
  case circuitOpen
  case noTime
  case cancelled

  /// Whether the last request may have been carried out all the same.
  var mayHaveArrived: Bool {
    switch self {
    case .line(let error): error.mayHaveArrived
    case .unreadable, .unproved: true
    case .unheard, .loginRefused, .greets, .offline, .unwritable, .circuitOpen, .noTime,
      .cancelled:
      false
    }
  }

  /// Whether the server failed, and not whoever asked.
  var isFailure: Bool {
    switch self {
    case .line(.cancelled), .line(.stopped), .line(.refusedAddress), .line(.unencrypted),
      .unwritable, .circuitOpen, .noTime, .cancelled:
      false
    default: true
    }
  }

  /// Whether another line may do better with the same request.
  var endedLine: Bool {
    switch self {
    case .line(.closed), .line(.lost), .line(.unasked): true
    default: false
    }
  }

  /// §9 of the reference. Wrong credentials are never among it: those the library alone can tell.
  var meaning: (reason: CirculationError.Reason, says: String?) {
    switch self {
    case .line(let error): Self.meaning(of: error)
    case .unreadable: (.malformedResponse(expected: "SIP2"), nil)
    case .unheard: (.malformedResponse(expected: "SIP2"), "it could not read the request")
    case .unproved:
      (.malformedResponse(expected: "answers with sums (sip2_error_detection)"), nil)
    case .loginRefused:
      (.notConfigured(what: "a user that the SIP2 server lets in (sip2_login)"), nil)
    case .greets: (.notConfigured(what: "that its SIP2 server speaks first (sip2_greeting)"), nil)
    case .offline: (.providerUnavailable, "its SIP2 server says that it is off-line")
    case .unwritable: (.credentialsRejected, nil)
    case .circuitOpen: (.providerUnavailable, "not asked: it failed repeatedly a moment ago")
    case .noTime: (.deadlineExceeded, nil)
    case .cancelled: (.cancelled, nil)
    }
  }

  private static func meaning(
    of error: LineError
  ) -> (reason: CirculationError.Reason, says: String?) {
    switch error {
    case .refusedAddress:
      (.notConfigured(what: "an address that may be called (http.allow_hosts)"), nil)
    case .unencrypted:
      (
        .notConfigured(what: "TLS (sip2s://), or sip2_plain where the way there is private"), nil
      )
    case .tls(let fault): (.networkFailure, "TLS: \(fault)")
    case .timedOut: (.deadlineExceeded, nil)
    case .cancelled, .stopped: (.cancelled, nil)
    case .tooLong: (.malformedResponse(expected: "an answer of bounded size"), nil)
    case .cannotResolve, .cannotConnect, .closed, .lost, .unasked:
      (.networkFailure, String(String(describing: error).prefix { $0 != "(" }))
    }
  }

  /// One word for the journal.
  var word: String {
    switch self {
    case .line(let error): String(String(describing: error).prefix { $0 != "(" })
    default: String(String(describing: self).prefix { $0 != "(" })
    }
  }
}
