import Foundation
import Images
import Machine
import Synchronization
import TestSupport
import Testing

@testable import Pictures

/// Programs in the place of `carrel-picture`, each with a fault.
@Suite(.timeLimit(.minutes(1))) struct `The process that makes a picture` {
  private let folder: TestSupport.TemporaryFolder
  private let picture: [UInt8]

  init() throws {
    folder = try TestSupport.TemporaryFolder()
    picture = try Picture(width: 20, height: 30, .white).jpeg()
  }

  private func program(_ script: String) throws -> String {
    try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "program")
    let path = folder.path("program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func fault(
    _ path: String?, _ bytes: [UInt8]? = nil, patience: Duration = .seconds(20)
  ) async -> ImageFault? {
    do throws(ImageFault) {
      _ = try await PictureProgram(path, patience: patience).maker.square(16, bytes ?? picture)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    "kill -9 $$", "exit 1", "cat >/dev/null", "cat >/dev/null; echo nonsense", "cat",
    "kill -SEGV $$",
    "head -c 9000000 /dev/zero",
  ])
  func `The process that makes a picture may die, fail or talk nonsense without harm`(
    script: String
  ) async throws {
    #expect(await fault(try program(script)) == .stopped)
  }

  @Test func `The process that makes a picture is ended when it hangs`() async throws {
    let path = try program("exec sleep 600")
    let start = ContinuousClock.now
    #expect(await fault(path, patience: .milliseconds(300)) == .stopped)
    #expect(start.duration(to: .now) < .seconds(30))
  }

  @Test func `The process that makes a picture is missed where it is not installed`() async {
    #expect(await fault(nil) == .noProgram)
    #expect(await fault("/nowhere/carrel-picture") == .noProgram)
  }

  @Test func `The process that makes a picture is not started for what is no picture`() async throws
  {
    let path = try program("touch \(folder.path("started"))")
    #expect(await fault(path, []) == .unknownFormat)
    #expect(await fault(path, Array("<svg/>".utf8)) == .unknownFormat)
    #expect(await fault(path, [UInt8](repeating: 0xFF, count: 13 << 20)) == .tooLarge)
    var bomb = try Picture(width: 9, height: 9, .white).png()
    bomb.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    #expect(await fault(path, bomb) == .tooLarge)
    #expect(!FileManager.default.fileExists(atPath: folder.path("started")))
  }

  @Test func `The process that makes a picture gets no word of the environment`() async throws {
    let said = folder.path("said")
    _ = await fault(try program("export -p | grep -v PWD >\(said); ls /proc/self/fd >>\(said)"))
    #expect(try String(contentsOfFile: said, encoding: .utf8).contains("PATH") == false)
  }

  @Test func `A picture of another kind or size than was asked for is not handed on`() async throws
  {
    let large = try Picture(width: 17, height: 16, .white).jpeg()
    let png = try Picture(width: 16, height: 16, .white).png()
    let good = try Picture(width: 16, height: 16, .white).jpeg()
    func made(_ parts: [[UInt8]]) async -> ImageFault? {
      let maker = PictureMaker { _ throws(ImageFault) in parts }
      do throws(ImageFault) {
        _ = try await maker.square(16, good)
        return nil
      } catch { return error }
    }
    #expect(await made([good]) == nil)
    for parts in [[large], [png], [Array("<script>".utf8)], [good, good], []] {
      #expect(await made(parts) == .stopped)
    }
    for text in ["", "\u{1B}[2J", "1\n2", String(repeating: "1", count: 65), "ü"] {
      let maker = PictureMaker { _ throws(ImageFault) in [Array(text.utf8)] }
      await #expect(throws: ImageFault.stopped) { try await maker.cardNumber(good) }
    }
  }

  @Test func `Pictures wait for each other, and those beyond the queue are refused at once`()
    async throws
  {
    let queue = PictureQueue(atOnce: 1, waiting: 2, bytes: 100)
    #expect(await queue.enter(with: 1000))
    let order = Order()
    let first = Task {
      let mayRun = await queue.enter(with: 50)
      order.add(1)
      return mayRun
    }
    while queue.waitingNow < 1 { await Task.yield() }
    #expect(await queue.enter(with: 51) == false)
    let second = Task {
      let mayRun = await queue.enter(with: 50)
      order.add(2)
      return mayRun
    }
    while queue.waitingNow < 2 { await Task.yield() }
    #expect(await queue.enter(with: 0) == false)
    queue.leave()
    #expect(await first.value)
    queue.leave()
    #expect(await second.value)
    queue.leave()
    #expect(order.all == [1, 2])
    #expect(await queue.enter(with: 1000))
  }
}

private final class Order: Sendable {
  private let seen = Mutex<[Int]>([])
  var all: [Int] { seen.withLock { $0 } }
  func add(_ number: Int) { seen.withLock { $0.append(number) } }
}
