import Glibc
import Synchronization

/// Room to unpack some blocks side by side; it is used again and again.
@safe final class Workbench {
  static let places = 10
  /// What the largest block holds.
  private static let most = 900_000

  private let columns: UnsafeMutablePointer<UInt32>
  private let outs: UnsafeMutablePointer<UInt8>

  /// Nil when memory runs out.
  init?() {
    let all = Self.places * Self.most
    guard let memory = unsafe LargeMemory.take(all * MemoryLayout<UInt32>.stride) else {
      return nil
    }
    unsafe columns = memory.bindMemory(to: UInt32.self, capacity: all)
    unsafe outs = .allocate(capacity: all)
  }

  deinit {
    unsafe free(columns)
    unsafe outs.deallocate()
  }

  /// Each block unpacked; `judge` is handed its bytes before runs are undone, or nil for one that is
  /// not as blocks are today.
  func unpack<Content>(
    _ blocks: [BZip2Block], judge: (BZip2Block, UnsafeBufferPointer<UInt8>?) -> Content
  ) -> [Content] {
    var chains: [BlockTurning.Chain] = []
    var sizes: [Int?] = []
    for (place, block) in blocks.prefix(Self.places).enumerated() {
      let column = unsafe UnsafeMutableBufferPointer(
        start: columns + place * Self.most, count: Self.most)
      guard let symbols = unsafe BlockSymbols(block, into: column) else {
        sizes.append(nil)
        continue
      }
      unsafe BlockTurning.link(column, symbols)
      let out = unsafe UnsafeMutableBufferPointer(
        start: outs + place * Self.most, count: symbols.count)
      unsafe chains.append(BlockTurning.Chain(column, out, symbols))
      sizes.append(symbols.count)
    }
    BlockTurning.follow(chains)
    return zip(blocks, sizes).enumerated().map { place, pair in
      let (block, size) = pair
      guard let size else { return judge(block, nil) }
      return unsafe judge(
        block, UnsafeBufferPointer(start: outs + place * Self.most, count: size))
    }
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
