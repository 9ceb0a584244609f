package import HTTP

/// What a handler answers. The server turns it into what the client asked for: a part, a "not
/// modified", a head alone.
package struct Response: Sendable {
  package enum Body: Sendable {
    case empty
    case bytes([UInt8])
    case cached(CachedBody)
    case file(FileBody)
    case stream(StreamBody)
    /// No answer at all: the connection breaks, reset, without a byte of head or body. For a server
    /// that plays a failing one.
    case severed
  }

  package var status: Status
  package var headers: Headers
  package var body: Body
  /// Lets the server answer conditional requests and partial ones. Files and cached bodies bring
  /// their own.
  package var validators: Validators
  /// The pattern of the route that answered, for logs and metrics: never the path itself.
  package var route: String?
  /// The reader it is for, hashed, and the word for what went wrong: for the log.
  package var patronHash: String?
  package var errorCode: String?

  package init(
    _ status: Status = .ok, headers: Headers = [:], body: Body = .empty,
    validators: Validators = Validators()
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
    self.validators = validators
  }

  package static func bytes(
    _ bytes: [UInt8], _ type: MediaType, status: Status = .ok,
    validators: Validators = Validators()
  ) -> Response {
    Response(
      status, headers: ["Content-Type": type.description], body: .bytes(bytes),
      validators: validators)
  }

  package static func text(
    _ text: String, _ type: MediaType = .plainText, status: Status = .ok
  ) -> Response {
    .bytes(Array(text.utf8), type, status: status)
  }

  package static func cached(_ body: CachedBody) -> Response { Response(body: .cached(body)) }

  package static func file(
    _ file: FileBody, _ type: MediaType, named disposition: ContentDisposition? = nil
  ) -> Response {
    var response = Response(headers: ["Content-Type": type.description], body: .file(file))
    if let disposition { response.headers.set("Content-Disposition", disposition.description) }
    return response
  }

  package static func stream(_ stream: StreamBody, _ type: MediaType) -> Response {
    Response(headers: ["Content-Type": type.description], body: .stream(stream))
  }

  package static let severed = Response(body: .severed)

  package static func problem(_ problem: Problem) -> Response {
    var response = Response.text(problem.json, .problem, status: problem.status)
    response.errorCode = problem.code
    if let seconds = problem.retryAfter { response.headers.set("Retry-After", "\(seconds)") }
    return response
  }

  /// `location` is a link as the client will read it: with its base path.
  package static func redirect(to location: String, _ status: Status = .seeOther) -> Response {
    Response(status, headers: ["Location": location])
  }
}
