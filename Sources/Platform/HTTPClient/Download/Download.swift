package import HTTP

/// One file fetched to disk. It grows as `<path>.part`, beside a note of which version it is part
/// of, and takes its own name only when it is whole and on the disk. A download that was broken
/// off goes on where it stopped, unless the server's file has changed; then it starts from zero.
package struct Download: Sendable {
  /// A GET; its body limit is the most the whole file may be. The standard deadline means none.
  package var request: Request
  package var path: String
  /// What the file is known by from one time to the next, so that a part of it can be gone on with.
  /// The address without its query, unless another is given: addresses that are good for one use
  /// change with each asking.
  package var key: String?
  /// Called on the client's I/O thread: it must not wait for anything. Once when an answer begins,
  /// with what there is already, and after every piece; a number below the last one, or a second
  /// nought, means that the file starts over.
  package var progress: @Sendable (Progress) -> Void
  /// A failing disk, played before so many bytes are written; nil outside of tests.
  package var disk: DiskTrial?

  package typealias DiskTrial = @Sendable (_ count: Int) -> SystemFault?

  package init(
    _ request: Request, to path: String, key: String? = nil,
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.request = request
    self.path = path
    self.key = key
    self.progress = progress
  }

  package struct Progress: Sendable, Hashable {
    package let received: Int
    package let total: Int?

    package init(received: Int, total: Int?) { (self.received, self.total) = (received, total) }
  }

  package enum Outcome: Sendable, Hashable {
    case stored(Stored)
    /// The server had no file to give; what there was of it on disk stays.
    case answered(Reply)
  }

  package struct Stored: Sendable, Hashable {
    package let size: Int
    /// How much of it was there already.
    package let resumedFrom: Int
    package let head: ReplyHead
    package let address: Address

    package init(size: Int, resumedFrom: Int, head: ReplyHead, address: Address) {
      self.size = size
      self.resumedFrom = resumedFrom
      self.head = head
      self.address = address
    }
  }

  /// A server that changes its mind about the file more often is not worth following.
  private static let mostRequests = 64
  private static let mostRestarts = 3

  package func run(over transport: Transport) async throws(TransportError) -> Outcome {
    let path = path
    let key = key.map { PartNote.key(named: $0) } ?? PartNote.key(of: request.address)
    let part = try await stored { () throws(SystemFault) in try PartFile(for: path, key: key) }
    do {
      let outcome = try await fetch(part, over: transport)
      await blocking { part.close() }
      return outcome
    } catch {
      await blocking { part.close() }
      throw error
    }
  }

  private func fetch(
    _ part: PartFile, over transport: Transport
  ) async throws(TransportError) -> Outcome {
    var decoding = FileIntake.Decoding.asIs
    var restarts = 0
    var resumedFrom: Int?
    for _ in 0..<Download.mostRequests {
      let intake = FileIntake(
        part, decoding: decoding, most: request.limits.body, disk: disk, progress: progress)
      let start = try await stored { () throws(SystemFault) in try intake.prepare() }
      let reply = try await reply(to: start, decoding, into: intake, over: transport)
      switch try intake.verdict(on: reply) {
      case .whole(let size, let from):
        try await stored { () throws(SystemFault) in try part.commit() }
        guard let reply else { throw .stoppedBySink }
        return .stored(
          Stored(
            size: size, resumedFrom: resumedFrom ?? from, head: reply.head,
            address: reply.address))
      case .goOn(let from):
        if resumedFrom == nil { resumedFrom = from }
      case .startOver(let next):
        restarts += 1
        guard restarts <= Download.mostRestarts else { throw Download.unstable }
        resumedFrom = 0
        decoding = next
        try await stored { () throws(SystemFault) in try part.discard() }
      case .nothing:
        guard let reply else { throw .stoppedBySink }
        return .answered(reply)
      }
    }
    throw Download.unstable
  }

  /// Nil when our own sink gave the request up; the intake knows why.
  private func reply(
    to start: PartFile.Start, _ decoding: FileIntake.Decoding, into intake: FileIntake,
    over transport: Transport
  ) async throws(TransportError) -> Reply? {
    var request = request
    request.method = .get
    request.body = .none
    // A large file may take longer than any answer; the client's pace bounds it all the same.
    if request.deadline == .standard { request.deadline = .never }
    // Ranges and lengths count the file's own bytes only when nothing is laid around them.
    request.headers.set("Accept-Encoding", decoding == .asIs ? "identity" : nil)
    request.headers.set("Range", nil)
    request.headers.set("If-Range", nil)
    if start.offset > 0, let validator = start.validator {
      request.headers.set("Range", "bytes=\(start.offset)-")
      request.headers.set("If-Range", validator)
    }
    request.delivery = .sink(intake.sink)
    do {
      return try await transport.send(request)
    } catch .stoppedBySink {
      return nil
    }
  }

  private static let unstable = TransportError.malformedReply(
    Cause(code: 33, phrase: "Requested range was not delivered by the server"))

  private func stored<T: Sendable>(
    _ work: @escaping @Sendable () throws(SystemFault) -> T
  ) async throws(TransportError) -> T {
    let result = await blocking {
      do throws(SystemFault) {
        return Result<T, SystemFault>.success(try work())
      } catch {
        return .failure(error)
      }
    }
    do { return try result.get() } catch { throw .storing(error) }
  }
}
