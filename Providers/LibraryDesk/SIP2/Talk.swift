import Lines
import ProviderKit
import SIP2
import Secrets
import Synchronization

/// One line to the library's server, from its login on. It belongs to one errand at a time; what went
/// wrong on it once is never used again.
final class Talk: Sendable {
  private struct State {
    var sequence = 0
    var reader: Cardholder?
    var isSound = true
    var restsSince = ContinuousClock.now
    var note: @Sendable (Exchange) -> Void = { _ in }
  }

  private let line: LineConnection
  private let profile: Profile
  private let state = Mutex(State())

  /// What the journal hears: kinds and fields of messages, and no value.
  struct Exchange: Sendable {
    let asked: Message
    let result: Result<MessageKind, SIP2Trouble>
    let took: Duration
  }

  init(_ line: LineConnection, _ profile: Profile) {
    (self.line, self.profile) = (line, profile)
  }

  /// Whether it can take another question.
  var isReady: Bool { state.withLock { $0.isSound } && line.isOpen && line.isQuiet }

  /// Whose session the server may still have open.
  var reader: Cardholder? {
    get { state.withLock { $0.reader } }
    set { state.withLock { $0.reader = newValue } }
  }

  func close() {
    distrust()
    line.close()
  }

  /// What it did for one errand is told in that errand's name.
  func serve(_ note: @escaping @Sendable (Exchange) -> Void) { state.withLock { $0.note = note } }

  func rest() { state.withLock { $0.restsSince = .now } }

  var idle: Duration { state.withLock { $0.restsSince }.duration(to: .now) }

  private func distrust() { state.withLock { $0.isSound = false } }

  private func tell(
    _ asked: Message, _ result: Result<MessageKind, SIP2Trouble>,
    since began: ContinuousClock.Instant
  ) {
    let note = state.withLock { $0.note }
    note(Exchange(asked: asked, result: result, took: began.duration(to: .now)))
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      defer { state.sequence = (state.sequence + 1) % 10 }
      return state.sequence
    }
  }

  private var wire: Wire { profile.dialect.wire }

  /// The greeting of a server that speaks first. What it says is of no interest.
  func hearGreeting(by deadline: ContinuousClock.Instant) async throws(SIP2Trouble) {
    do throws(LineError) { _ = try await line.next(by: deadline) } catch { throw .line(error) }
  }

  /// The answer to the question, of the right kind and as the server meant it.
  func ask(
    _ message: Message, by deadline: ContinuousClock.Instant
  ) async throws(SIP2Trouble) -> Message {
    let began = ContinuousClock.now
    do throws(SIP2Trouble) {
      let answer = try await exchange(message, min(deadline, began + profile.limits.answer))
      tell(message, .success(answer.kind), since: began)
      return answer
    } catch {
      if case .unwritable = error {} else { distrust() }
      tell(message, .failure(error), since: began)
      throw error
    }
  }

  private func exchange(
    _ message: Message, _ deadline: ContinuousClock.Instant
  ) async throws(SIP2Trouble) -> Message {
    let isNumbered = wire.errorDetection != .off
    let number = nextNumber()
    let question = try bytes(of: message, number: isNumbered ? number : nil)
    var bytes: [UInt8]
    do throws(LineError) { bytes = try await line.ask(question, by: deadline) } catch {
      throw .line(error)
    }
    var (unread, repeated, strange) = (0, 0, 0)
    while true {
      switch Heard(bytes, as: wire, to: message.kind, number: isNumbered ? number : nil) {
      case .answer(let answer): return answer
      case .unproved: throw .unproved
      case .garbled:
        // Our own asking once more has neither number nor effect.
        distrust()
        unread += 1
        guard unread <= 2 else { throw .unreadable }
        bytes = try await say(try self.bytes(of: .answerResend, number: nil), deadline)
      case .pleaseRepeat:
        repeated += 1
        guard repeated <= profile.limits.repeats else { throw .unheard }
        // It was not read, so it was not done; the paper wants it without a number then.
        bytes = try await say(try self.bytes(of: message, number: nil), deadline)
      case .somethingElse:
        distrust()
        strange += 1
        guard strange < 2 else { throw .unreadable }
        bytes = try await next(deadline)
      }
    }
  }

  private func say(
    _ bytes: [UInt8], _ deadline: ContinuousClock.Instant
  ) async throws(SIP2Trouble) -> [UInt8] {
    do throws(LineError) { try await line.send(bytes, by: deadline) } catch { throw .line(error) }
    return try await next(deadline)
  }

  private func next(_ deadline: ContinuousClock.Instant) async throws(SIP2Trouble) -> [UInt8] {
    do throws(LineError) { return try await line.next(by: deadline) } catch { throw .line(error) }
  }

  private func bytes(of message: Message, number: Int?) throws(SIP2Trouble) -> [UInt8] {
    do throws(WireFault) {
      let isSummed = wire.errorDetection != .off
      return try message.bytes(as: wire, sequence: number, isSummed: isSummed)
        + wire.terminator.bytes
    } catch {
      throw .unwritable(error)
    }
  }
}

/// What a line of bytes is to whoever asked: §2 of the reference as a table.
enum Heard {
  case answer(Message)
  /// No message, or one whose sum is wrong.
  case garbled
  case pleaseRepeat
  /// The answer to another question, or one of another kind.
  case somethingElse
  /// Without sum, where the settings want one.
  case unproved

  init(_ bytes: [UInt8], as wire: Wire, to kind: MessageKind, number: Int?) {
    let frame: Frame
    do throws(WireFault) { frame = try Frame(reading: bytes, as: wire) } catch {
      self = .garbled
      return
    }
    if case .wrong = frame.checksum {
      self = .garbled
    } else if frame.message.kind == .requestResend {
      self = .pleaseRepeat
    } else if let number, let other = frame.sequence, other != number {
      self = .somethingElse
    } else if frame.message.kind != kind.answer {
      self = .somethingElse
    } else if wire.errorDetection == .strict, frame.checksum == .absent {
      self = .unproved
    } else {
      self = .answer(frame.message)
    }
  }
}
