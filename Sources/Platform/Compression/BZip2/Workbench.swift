import Glibc
import Synchronization

/// Room to unpack a block in; it is used again and again.
@safe final class Workbench {
  /// Blocks that are unpacked in one go.
  static let places = 4
  /// What the largest block holds.
  private static let most = 900_000

  private let column: UnsafeMutablePointer<UInt32>
  private let lanes: UnsafeMutablePointer<UInt8>
  private let out: UnsafeMutablePointer<UInt8>

  /// Nil when memory runs out.
  init?() {
    guard let memory = unsafe LargeMemory.take((Self.most + 1) * MemoryLayout<UInt32>.stride)
    else { return nil }
    unsafe column = memory.bindMemory(to: UInt32.self, capacity: Self.most + 1)
    // Hardly more of it is ever touched than a block has bytes.
    unsafe lanes = .allocate(capacity: BlockTurning.lanes * Self.most)
    unsafe out = .allocate(capacity: Self.most)
  }

  deinit {
    unsafe free(column)
    unsafe lanes.deallocate()
    unsafe out.deallocate()
  }

  /// Each block unpacked; `judge` is handed its bytes before runs are undone, or nil for one that is
  /// not as blocks are today.
  func unpack<Content>(
    _ blocks: [BZip2Block], judge: (BZip2Block, UnsafeBufferPointer<UInt8>?) -> Content
  ) -> [Content] {
    blocks.map { block in
      unsafe judge(block, unpacked(block).map { UnsafeBufferPointer($0) })
    }
  }

  private func unpacked(_ block: BZip2Block) -> UnsafeMutableBufferPointer<UInt8>? {
    let all = unsafe UnsafeMutableBufferPointer(start: column, count: Self.most)
    guard let symbols = unsafe BlockSymbols(block, into: all) else { return nil }
    let count = symbols.count
    unsafe BlockTurning.link(all, symbols)
    let bytes = unsafe UnsafeMutableBufferPointer(start: out, count: count)
    unsafe BlockTurning.follow(
      UnsafeMutableBufferPointer(start: column, count: count + 1), from: symbols.origin,
      room: UnsafeMutableBufferPointer(start: lanes, count: BlockTurning.lanes * count),
      into: bytes)
    return unsafe bytes
  }
}

/// The benches of one reader, each of which unpacks one lot of blocks after the other.
final class Benches: Sendable {
  typealias Unpacked = Result<BZip2Block.Content, CompressionError>

  private struct Line {
    var bench: Bench?
    var last: Task<[Unpacked], Never>?
  }

  /// Only ever in one hand: whoever works at it waits for the one before.
  private struct Bench: @unchecked Sendable {
    let bench: Workbench
  }

  private let lines: Mutex<[Line]>

  /// Half of the cores are left to those who read what is unpacked.
  init(cores: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
    lines = Mutex(Array(repeating: Line(), count: min(max(cores / 2, 1), 8)))
  }

  func unpacking(_ blocks: [BZip2Block]) -> Task<[Unpacked], Never> {
    lines.withLock { lines in
      // The one that has waited longest.
      var line = lines.removeFirst()
      let bench = line.bench ?? Workbench().map(Bench.init)
      let task = Task.detached { [before = line.last] in
        _ = await before?.value
        return unsafe bench?.bench.unpack(blocks, judge: Self.content)
          ?? blocks.map { unsafe Self.content(of: $0, nil) }
      }
      (line.bench, line.last) = (bench, task)
      lines.append(line)
      return task
    }
  }

  private static func content(
    of block: BZip2Block, _ bytes: UnsafeBufferPointer<UInt8>?
  ) -> Unpacked {
    do throws(CompressionError) { return .success(unsafe try block.content(bytes)) } catch {
      return .failure(error)
    }
  }
}
