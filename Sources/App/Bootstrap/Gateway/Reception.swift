import HTTP
import HTTPServer
import Synchronization

/// Answers from the first moment on. Until the house is open, which takes its time where tables are
/// changed, probes are told that it is starting; readers wait for it, so that a restart refuses nobody.
final class Reception: Sendable {
  private let opened = Mutex<Handler?>(nil)
  /// How long anybody is kept waiting.
  private let patience: Duration

  init(patience: Duration = .seconds(10)) { self.patience = patience }

  var handler: Handler {
    // A photograph that comes while the tables are changed is kept as long as its sender waits.
    Handler(
      bodyLimit: { [self] in current?.bodyLimit($0) ?? .upload },
      answering: { [self] request in
        if let handler = current { return handler.answer(request) }
        switch request.path {
        case ["healthz"]: return .now(Probes.alive())
        case ["readyz"]: return .now(Probes.answer(["starting"]))
        default: return .later { [self] in await answerOnceOpen(request) }
        }
      })
  }

  func open(_ handler: Handler) { opened.withLock { $0 = handler } }

  private var current: Handler? { opened.withLock { $0 } }

  private func answerOnceOpen(_ request: Request) async -> Response {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end, !Task.isCancelled {
      if let handler = current { return await handler(request) }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return Probes.answer(["starting"])
  }
}
