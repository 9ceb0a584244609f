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

  package init(answering answer: @escaping @Sendable (Request) -> Answer) { self.answer = answer }

  package init(_ answer: @escaping @Sendable (Request) async -> Response) {
    self.answer = { request in .later { await answer(request) } }
  }

  /// Answers at once when the bytes are at hand, else the slow way.
  package init(
    immediate: @escaping @Sendable (Request) -> Response?,
    otherwise answer: @escaping @Sendable (Request) async -> Response
  ) {
    self.answer = { request in
      immediate(request).map { .now($0) } ?? .later { await answer(request) }
    }
  }

  /// A handler that always has its bytes at hand.
  package static func immediate(_ answer: @escaping @Sendable (Request) -> Response) -> Handler {
    Handler(answering: { .now(answer($0)) })
  }

  package func callAsFunction(_ request: Request) async -> Response {
    switch answer(request) {
    case .now(let response): response
    case .later(let rest): await rest()
    }
  }
}
