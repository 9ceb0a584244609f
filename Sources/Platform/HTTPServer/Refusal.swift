package import HTTP

/// Why a request is not even looked at. The connection is closed after the answer, because where
/// the next request begins is no longer certain.
package enum Refusal: Error, Sendable, Hashable {
  case malformed(Fault)
  case requestLineTooLong
  case headTooLarge
  case bodyTooLarge
  case unknownMethod
  case unsupportedVersion
  case expectationFailed
  case headTimedOut
  case bodyTimedOut
  case requestTimedOut
  case tooManyConnections
  case overloaded

  /// What exactly breaks RFC 9112. The sentence goes to the client: it names a rule, never bytes.
  package enum Fault: String, Sendable {
    case requestLine = "the request line is not METHOD target HTTP/1.1"
    case method = "the method is not a token"
    case target = "the request target is not valid"
    case path = "the path is not valid"
    case hostMismatch = "Host is not the authority of the target"
    case connect = "CONNECT is for proxies"
    case bareLineFeed = "a line ends without carriage return"
    case bareCarriageReturn = "a carriage return does not end its line"
    case controlByte = "a control byte stands in the head"
    case foldedField = "a field goes on in the next line"
    case blankBeforeColon = "a blank stands before the colon of a field"
    case fieldName = "a field name is not a token"
    case missingHost = "Host is missing"
    case doubledHost = "Host is given twice"
    case host = "Host is not valid"
    case doubledLength = "Content-Length is given twice"
    case length = "Content-Length is not a number"
    case lengthWithCoding = "Content-Length is given beside Transfer-Encoding"
    case coding = "Transfer-Encoding is not chunked"
    case chunk = "the chunked body is broken"
    case framing = "the message is broken"
  }

  package var status: Status {
    switch self {
    case .malformed: .badRequest
    case .requestLineTooLong: .uriTooLong
    case .headTooLarge: .headersTooLarge
    case .bodyTooLarge: .contentTooLarge
    case .unknownMethod: .notImplemented
    case .unsupportedVersion: Status(505)
    case .expectationFailed: Status(417)
    case .headTimedOut, .bodyTimedOut: .requestTimeout
    case .tooManyConnections: .tooManyRequests
    case .requestTimedOut, .overloaded: .serviceUnavailable
    }
  }

  package var problem: Problem {
    if case .malformed(let fault) = self {
      return Problem(status, code: "malformed_request", detail: fault.rawValue)
    }
    return Problem(status, code: word)
  }

  /// The answer to it. Who is turned away for want of room is told to come back.
  var response: Response {
    var response = Response.problem(problem)
    switch self {
    case .tooManyConnections, .overloaded: response.headers.set("Retry-After", "2")
    default: break
    }
    return response
  }

  private var word: String {
    switch self {
    case .malformed: "malformed_request"
    case .requestLineTooLong: "target_too_long"
    case .headTooLarge: "head_too_large"
    case .bodyTooLarge: "body_too_large"
    case .unknownMethod: "unknown_method"
    case .unsupportedVersion: "unsupported_version"
    case .expectationFailed: "expectation_failed"
    case .headTimedOut, .bodyTimedOut: "request_timed_out"
    case .requestTimedOut: "deadline_exceeded"
    case .tooManyConnections: "too_many_connections"
    case .overloaded: "overloaded"
    }
  }
}
