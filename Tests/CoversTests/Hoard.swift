import Circulation
import HTTP
import HTTPClient
import Images
import Machine
import PictureWork
import Pictures
import Synchronization
import TestSupport

@testable import Covers

/// Pictures at made-up addresses, a door that can be shut, a clock, and a folder that goes away.
final class Hoard: Sendable {
  private struct State {
    var pictures: [String: (status: Int, bytes: [UInt8])] = [:]
    var asked: [String] = []
    var now: Int64 = 1_767_225_600_000
    var isOpen = true
  }

  private let state = Mutex(State())
  private let root: TestSupport.TemporaryFolder

  init() throws { root = try TestSupport.TemporaryFolder() }

  var folder: CacheFolder { CacheFolder("\(root.path)/covers") }
  var asked: [String] { state.withLock { $0.asked } }

  func serve(_ path: String, _ bytes: [UInt8], status: Int = 200) {
    state.withLock { $0.pictures[path] = (status, bytes) }
  }

  func pass(seconds: Int64) { state.withLock { $0.now += seconds * 1000 } }
  func close() { state.withLock { $0.isOpen = false } }
  func open() { state.withLock { $0.isOpen = true } }

  var transport: Transport {
    Transport(send: { [self] request throws(TransportError) in
      let path = request.address.path
      let found = state.withLock { state in
        state.asked.append(path)
        return state.pictures[path] ?? (404, [])
      }
      while !state.withLock({ $0.isOpen }) { await Task.yield() }
      return Reply(
        head: ReplyHead(status: Status(found.status), headers: [:]), body: found.bytes,
        address: request.address)
    })
  }

  func shelf(capacity: Int = 1 << 30) -> CoverShelf {
    CoverShelf(
      in: folder, over: { [transport] _ in transport }, pictures: .withinThisProcess,
      settings: CoverShelf.Settings(capacity: capacity),
      now: { [self] in state.withLock { $0.now } })
  }

  /// Why there are no pictures, as the folder says it.
  var notes: [String] {
    folder.all().filter { $0.name.hasSuffix(".none") }.compactMap { kept in
      folder.read(kept.name, upTo: 100).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }

  static func picture(_ width: Int = 200, _ height: Int = 300) throws -> [UInt8] {
    let picture = try Picture(width: width, height: height, Color(0x884422))
    picture.disc(x: width / 2, y: height / 2, diameter: width / 2, .white)
    return try picture.jpeg()
  }
}

extension CoveredBook {
  /// As a library of the settings names the pictures, or a catalog that a patron gave.
  init(
    work: String, title: String, authors: [String], at addresses: [String],
    from library: LibraryID = LibraryID("city")
  ) {
    self.init(
      work: work, title: title, authors: authors,
      sources: addresses.map { CoverSource($0, from: library) })
  }
}
