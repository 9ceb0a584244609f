package import HTTP

/// A small value around handlers: looks at a request before, at the response after. It keeps a
/// quick answer quick, because neither step may wait.
package struct Middleware: Sendable {
  /// A response given here is the answer; the handler is not asked.
  package let before: @Sendable (Request) -> Response?
  package let after: @Sendable (Request, inout Response) -> Void

  package init(
    before: @escaping @Sendable (Request) -> Response? = { _ in nil },
    after: @escaping @Sendable (Request, inout Response) -> Void = { _, _ in }
  ) {
    (self.before, self.after) = (before, after)
  }

  package func callAsFunction(_ handler: Handler) -> Handler {
    handler.answering { request in
      if var early = before(request) {
        after(request, &early)
        return .now(early)
      }
      switch handler.answer(request) {
      case .now(var response):
        after(request, &response)
        return .now(response)
      case .later(let rest):
        return .later {
          var response = await rest()
          after(request, &response)
          return response
        }
      }
    }
  }

  /// Tells the client under which name its request stands in the log.
  package static let requestID = Middleware(after: { request, response in
    response.headers.set("X-Request-Id", request.id.description)
  })

  /// Who is told that something is away just now is told when to ask again, too.
  package static func retryAfter(_ pause: Duration) -> Middleware {
    Middleware(after: { _, response in
      guard response.status == .serviceUnavailable, response.headers["Retry-After"] == nil else {
        return
      }
      response.headers.set("Retry-After", "\(pause.components.seconds)")
    })
  }

  /// The same fields on every answer, unless the handler has set its own.
  package static func headers(_ headers: Headers) -> Middleware {
    Middleware(after: { _, response in
      for field in headers.fields where response.headers[field.name] == nil {
        response.headers.add(field.name, field.value)
      }
    })
  }
}

extension Handler {
  /// The first middleware is the outermost.
  package func wrapped(in middleware: [Middleware]) -> Handler {
    middleware.reversed().reduce(self) { $1($0) }
  }
}
