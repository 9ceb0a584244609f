import HTTP
import Synchronization

/// Judges one answer to a download and lets its bytes into the part file, or does not. Called on
/// the I/O thread while the answer arrives, and by the download before and after.
final class FileIntake: Sendable {
  /// Some servers compress whatever one asks for. Then the file is asked for once more, to be
  /// unpacked on the way, and cannot be resumed.
  enum Decoding { case asIs, unpacked }

  enum Verdict {
    /// `from` is how much of it was there before this answer.
    case whole(size: Int, from: Int)
    /// The server gave less than all there is.
    case goOn(from: Int)
    case startOver(FileIntake.Decoding)
    case nothing
  }

  private struct State {
    var start = PartFile.Start(offset: 0, validator: nil, total: nil)
    var total: Int?
    var hasTaken = false
    var verdict: Verdict?
    var fault: TransportError?
  }

  private let part: PartFile
  private let decoding: Decoding
  private let most: Int
  private let disk: Download.DiskTrial?
  private let progress: @Sendable (Download.Progress) -> Void
  private let state = Mutex(State())

  init(
    _ part: PartFile, decoding: Decoding, most: Int, disk: Download.DiskTrial? = nil,
    progress: @escaping @Sendable (Download.Progress) -> Void
  ) {
    self.part = part
    self.decoding = decoding
    self.most = most
    self.disk = disk
    self.progress = progress
  }

  /// Where to go on from.
  func prepare() throws(SystemFault) -> PartFile.Start {
    let start = try part.start()
    state.withLock { $0.start = start }
    return start
  }

  var sink: BodySink {
    BodySink(begin: { self.begin($0) }, write: { self.write($0) })
  }

  func verdict(on reply: Reply?) throws(TransportError) -> Verdict {
    let state = state.withLock { $0 }
    if let fault = state.fault { throw fault }
    if let verdict = state.verdict { return verdict }
    guard let reply else { return .nothing }
    let length = part.length
    if reply.status == .rangeNotSatisfiable, state.start.offset > 0 {
      let total = UnsatisfiedRange(reply.headers["Content-Range"])?.total
      // All of it was there before we asked: the server says so, and means the version we have.
      let isWhole = length > 0 && total == length && state.start.total == length
      return isWhole && agrees(reply.head, with: state.start)
        ? .whole(size: length, from: length) : .startOver(.asIs)
    }
    guard state.hasTaken else { return .nothing }
    let from = state.start.offset
    guard let total = state.total, total != length else { return .whole(size: length, from: from) }
    // More than was promised, or no nearer to the end, is not worth keeping.
    return length < total && length > from ? .goOn(from: from) : .startOver(.asIs)
  }

  // MARK: - On the I/O thread

  private func begin(_ head: ReplyHead) -> BodySink.Choice {
    let (choice, step) = state.withLock { state in
      let choice: BodySink.Choice =
        switch head.status {
        case .ok: takeWhole(head, &state)
        case .partialContent: takeRest(head, &state)
        default: .collect
        }
      return (choice, Download.Progress(received: state.start.offset, total: state.total))
    }
    if case .take = choice { progress(step) }
    return choice
  }

  private func takeWhole(_ head: ReplyHead, _ state: inout State) -> BodySink.Choice {
    let isPacked = FileIntake.isPacked(head)
    if isPacked, decoding == .asIs {
      state.verdict = .startOver(.unpacked)
      return .stop
    }
    state.total = isPacked ? nil : head.headers["Content-Length"].flatMap { Int($0) }
    do throws(SystemFault) {
      // In this order: bytes of one version must never lie beside the note of another.
      try part.discard()
      if decoding == .asIs, let validator = FileIntake.validator(head) {
        try part.write(PartNote(key: part.key, validator: validator, total: state.total))
      }
    } catch {
      state.fault = .storing(error)
      return .stop
    }
    state.start = PartFile.Start(offset: 0, validator: nil, total: nil)
    return admit(&state)
  }

  private func takeRest(_ head: ReplyHead, _ state: inout State) -> BodySink.Choice {
    guard let range = SatisfiedRange(head.headers["Content-Range"]), state.start.offset > 0,
      // The second holds too, unless somebody around the transport sends one request twice.
      range.first == state.start.offset, range.first == part.length, !FileIntake.isPacked(head),
      range.total == nil || state.start.total == nil || range.total == state.start.total,
      agrees(head, with: state.start)
    else {
      state.verdict = .startOver(.asIs)
      return .stop
    }
    state.total = range.total ?? state.start.total
    return admit(&state)
  }

  private func admit(_ state: inout State) -> BodySink.Choice {
    if let total = state.total, total > most {
      state.fault = .tooLarge(.body(most: most))
      return .stop
    }
    state.hasTaken = true
    return .take
  }

  private func write(_ bytes: RawSpan) -> Bool {
    let step: Download.Progress? = state.withLock { state in
      guard part.length + bytes.byteCount <= most else {
        state.fault = .tooLarge(.body(most: most))
        return nil
      }
      do throws(SystemFault) {
        if let fault = disk?(bytes.byteCount) { throw fault }
        try part.append(bytes)
      } catch {
        state.fault = .storing(error)
        return nil
      }
      return Download.Progress(received: part.length, total: state.total)
    }
    guard let step else { return false }
    progress(step)
    return true
  }

  // MARK: - Versions

  /// A server that ignores `If-Range` still shows by its tag that the file is another.
  private func agrees(_ head: ReplyHead, with start: PartFile.Start) -> Bool {
    guard let validator = start.validator else { return false }
    let field = validator.utf8.first == UInt8(ascii: "\"") ? "ETag" : "Last-Modified"
    return head.headers[field].map { $0 == validator } ?? true
  }

  private static func isPacked(_ head: ReplyHead) -> Bool {
    head.headers.all("Content-Encoding").contains { !Headers.same($0, "identity") && !$0.isEmpty }
  }

  /// What `If-Range` may carry (RFC 9110 §13.1.5): a strong tag; or, where there is no tag at all,
  /// a date that cannot hide a second change, which is one other than the answer's own.
  private static func validator(_ head: ReplyHead) -> String? {
    let isPlain = { (text: String) in text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
    if let tag = head.headers["ETag"] {
      return tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.count > 2 && isPlain(tag) ? tag : nil
    }
    guard let changed = head.headers["Last-Modified"], let now = head.headers["Date"],
      changed != now, !changed.isEmpty, isPlain(changed)
    else { return nil }
    return changed
  }
}
