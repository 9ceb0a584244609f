import CEvent
import Glibc

/// A loop's hold on one listening socket.
@safe final class Acceptor {
  private let socket: ListeningSocket
  private unowned let loop: Loop
  private var event: OpaquePointer?
  private var isPaused = false

  init(_ socket: ListeningSocket, on loop: Loop) { (self.socket, self.loop) = (socket, loop) }

  func open() {
    unsafe event = event_new(
      loop.base, socket.descriptor, Int16(EV_READ | EV_PERSIST),
      { _, _, acceptor in
        unsafe Unmanaged<Acceptor>.fromOpaque(acceptor.unsafelyUnwrapped).takeUnretainedValue()
          .acceptWaiting(upTo: 64)
      }, Unmanaged.passUnretained(self).toOpaque())
    unsafe event_add(event, nil)
  }

  /// Whoever already waits in the queue still comes in: closing the socket would reset them.
  func close() {
    guard let event = unsafe event else { return }
    acceptWaiting(upTo: 4096)
    unsafe event_free(event)
    unsafe self.event = nil
  }

  deinit { if let event = unsafe event { unsafe event_free(event) } }

  private func acceptWaiting(upTo most: Int) {
    for _ in 0..<most {
      guard let (descriptor, peer) = socket.accept() else {
        // Without a free descriptor the socket stays readable; trying again at once would only
        // heat the processor.
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return }
        _ = loop.makeRoom()
        return pause()
      }
      loop.welcome(descriptor, peer)
    }
  }

  private func pause() {
    guard !isPaused, let event = unsafe event else { return }
    isPaused = true
    unsafe event_del(event)
    var later = timeval(tv_sec: 0, tv_usec: 100_000)
    unsafe event_add(event, &later)
  }

  /// Called with every tick.
  func resume() {
    guard isPaused, let event = unsafe event else { return }
    isPaused = false
    unsafe event_del(event)
    unsafe event_add(event, nil)
  }
}
