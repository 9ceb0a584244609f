import Glibc
import Synchronization

/// Room to unpack some blocks side by side; it is used again and again.
@safe final class Workbench {
  static let places = 8
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

/// Benches that nobody works at just now.
final class Benches: Sendable {
  private let free = Mutex<[Bench]>([])

  /// Only ever in one hand: whoever takes it out of the list has it alone.
  private struct Bench: @unchecked Sendable {
    let bench: Workbench
  }

  typealias Unpacked = Result<BZip2Block.Content, CompressionError>

  func unpack(_ blocks: [BZip2Block]) -> [Unpacked] {
    guard let taken = free.withLock({ $0.popLast() }) ?? Workbench().map(Bench.init) else {
      return blocks.map { Self.content(of: $0, nil) }
    }
    defer { free.withLock { $0.append(taken) } }
    return unsafe taken.bench.unpack(blocks, judge: Self.content)
  }

  private static func content(
    of block: BZip2Block, _ bytes: UnsafeBufferPointer<UInt8>?
  ) -> Unpacked {
    do throws(CompressionError) { return .success(unsafe try block.content(bytes)) } catch {
      return .failure(error)
    }
  }
}
