/// SIGHUPs on their way from the thread that hears them to the command that acts on them.
final class Hangups: Sendable {
  let line: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init() {
    // Several at once mean the same as one.
    (line, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func strike() { end.yield() }
}
