/// Something that answers requests: a value, called with a request, with or without a socket.
/// What it can answer from memory it answers on the loop's own thread; everything else goes on in
/// a task of its own.
package struct Handler: Sendable {
  package enum Answer: Sendable {
    case now(Response)
    case later(@Sendable () async -> Response)
  }

  /// Called on the loop's thread: whatever waits or computes for long belongs into `.later`.
  package let answer: @Sendable (Request) -> Answer
  /// How large a body it wants of a request of which only the head has come.
  package let bodyLimit: @Sendable (Request) -> BodyLimit

  package init(
    bodyLimit: @escaping @Sendable (Request) -> BodyLimit,
    answering answer: @escaping @Sendable (Request) -> Answer
  ) {
    (self.bodyLimit, self.answer) = (bodyLimit, answer)
  }

  package init(
    body limit: BodyLimit = .upload, _ answer: @escaping @Sendable (Request) async -> Response
  ) {
    self.init(
      bodyLimit: { _ in limit },
      answering: { request in .later { await answer(request) } })
  }

  /// The same for bodies, with another way to answer.
  package func answering(_ answer: @escaping @Sendable (Request) -> Answer) -> Handler {
    Handler(bodyLimit: bodyLimit, answering: answer)
  }

  /// Answers at once when the bytes are at hand, else the slow way.
  package init(
    immediate: @escaping @Sendable (Request) -> Response?,
    otherwise answer: @escaping @Sendable (Request) async -> Response
  ) {
    self.init(
      bodyLimit: { _ in .upload },
      answering: { request in
        immediate(request).map { .now($0) } ?? .later { await answer(request) }
      })
  }

  /// A handler that always has its bytes at hand.
  package static func immediate(_ answer: @escaping @Sendable (Request) -> Response) -> Handler {
    Handler(bodyLimit: { _ in .upload }, answering: { .now(answer($0)) })
  }

  package func callAsFunction(_ request: Request) async -> Response {
    switch answer(request) {
    case .now(let response): response
    case .later(let rest): await rest()
    }
  }
}
