import HTTP
import HTTPClient
import Machine

/// What an answer means for what was sent.
extension TryEnd {
  init(_ reply: Reply, goneBy codes: Set<Int>, now: Int64) {
    let code = reply.status.code
    let note = Failure("it answered \(code)")
    switch code {
    case 200...299: self = .taken
    case _ where codes.contains(code): self = .gone(note)
    case 408, 425, 429, 500...599:
      self = .later(after: Self.wait(reply.headers["Retry-After"], now: now), note)
    default: self = .refused(note)
    }
  }

  init(_ error: TransportError, isSilence: Bool = false) {
    let (note, mayWorkLater) = Self.meaning(of: error)
    let failure = Failure(note, isSilence: isSilence)
    self = mayWorkLater ? .later(after: nil, failure) : .refused(failure)
  }

  private static func meaning(of error: TransportError) -> (note: String, mayWorkLater: Bool) {
    switch error {
    case .invalidRequest: ("the request cannot be written", false)
    case .refusedAddress(let refusal) where refusal.reason == .notEncrypted:
      ("the address is not encrypted: see http.patron_hosts", false)
    case .refusedAddress: ("the address is not allowed: see http.patron_hosts", false)
    case .cannotResolve: ("its name is not known", true)
    case .cannotConnect, .proxyRefused: ("no connection", true)
    case .tls: ("its certificate is not good", true)
    case .timedOut, .deadlineExceeded: ("it did not answer in time", true)
    case .tooLarge: ("its answer is too large", false)
    case .tooManyRedirects, .refusedRedirect: ("it points elsewhere", false)
    case .malformedReply, .connectionLost: ("the connection broke", true)
    case .cancelled, .stopped, .sending, .storing, .stoppedBySink, .other:
      ("it was broken off", true)
    }
  }

  init(_ error: MailError) {
    switch error {
    case .message: self = .refused("the message cannot be written")
    case .recipientsRejected(let rejections):
      let code = rejections.first?.reply.code ?? 550
      self =
        error.isTemporary
        ? .later(after: nil, "the mail server put it off (\(code))")
        : .gone("the mail server does not know the address (\(code))")
    case .authenticationRefused, .authenticationNotOffered:
      self = .later(after: nil, "the mail server did not let us in")
    case .encryptionRefused: self = .later(after: nil, "the mail server does not encrypt")
    case .temporary(let stage, let reply):
      self = .later(after: nil, "the mail server put it off (\(stage.rawValue), \(reply.code))")
    case .permanent(let stage, let reply):
      self = .refused("the mail server refused it (\(stage.rawValue), \(reply.code))")
    case .transport(let error):
      self = error.isFinal ? TryEnd(error) : .later(after: nil, "the mail server is not reached")
    }
  }

  /// Seconds or a date; a day at most, since nobody means more.
  private static func wait(_ text: String?, now: Int64) -> Duration? {
    guard let text else { return nil }
    let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.count < 10
    let seconds =
      digits ? Int64(text) : HTTPDate(text).map { $0.seconds - now / 1000 }
    return seconds.map { .seconds(min(max($0, 0), 86_400)) }
  }
}

extension TransportError {
  fileprivate var isFinal: Bool { if case .invalidRequest = self { true } else { false } }
}
