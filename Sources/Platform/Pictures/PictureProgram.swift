import Machine

/// Has each picture made by a process of its own, which starts with nothing but a pipe on each side and gives up
/// files, network and most of memory before it looks at the bytes (`carrel-picture`). Whatever happens to
/// it there is an answer here, and it knows of no other picture.
package final class PictureProgram: Sendable {
  private let path: String?
  private let patience: Duration
  /// Photographs come from people who have not signed in: they wait for each other and for nobody else.
  private let photographs = PictureQueue(atOnce: 1, waiting: 3, bytes: 32 << 20)
  private let others = PictureQueue(atOnce: 2, waiting: 512, bytes: 32 << 20)

  /// `path` is nil where the program is not installed.
  package init(_ path: String?, patience: Duration = .seconds(12)) {
    (self.path, self.patience) = (path, patience)
  }

  package var maker: PictureMaker {
    PictureMaker { order throws(ImageFault) in try await self.make(order) }
  }

  private func make(_ order: PictureOrder) async throws(ImageFault) -> [[UInt8]] {
    guard let path else { throw .noProgram }
    let queue = order.means == .reader ? photographs : others
    guard await queue.enter(with: order.picture.count) else { throw .busy }
    defer { queue.leave() }
    let program = ChildProgram(path, [order.means.rawValue], environment: Environment([:]))
    let ended: Capture
    do throws(Capture.Failure) {
      ended = try await program.capture(
        feeding: order.encoded, limit: Self.longest, within: patience)
    } catch {
      if case .failed = error { throw .noProgram }
      throw .stopped
    }
    guard ended.ending == .exited(0), let answer = PictureAnswer(decoding: ended.output) else {
      throw .stopped
    }
    switch answer {
    case .made(let parts): return parts
    case .failed(let fault): throw fault
    }
  }

  /// Of an answer: two covers, or a terminal's one.
  private static let longest = 8 << 20

  /// What the program says of its own sandbox; nil where it cannot be started.
  package func check() async -> String? {
    guard let path else { return nil }
    let program = ChildProgram(path, ["check"], environment: Environment([:]))
    guard let ended = try? await program.capture(within: patience), ended.ending == .exited(0)
    else { return nil }
    return String(decoding: ended.output, as: UTF8.self)
  }
}
