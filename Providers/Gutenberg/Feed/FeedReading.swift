import Circulation
import Compression
import Machine

/// One version of the feed, read page by page.
actor FeedReading {
  /// Opens the file from its beginning.
  typealias Opening = @Sendable () throws(FileError) -> OpenFile

  private let open: Opening
  private let packing: FeedPipe.Packing
  private let size: Int
  private var pipe: FeedPipe?
  /// Where it is, if there is more to come.
  private var reached: Int?

  init(_ packing: FeedPipe.Packing, pagesOf size: Int, opening open: @escaping Opening) {
    (self.packing, self.size, self.open) = (packing, size, open)
  }

  func page(at offset: Int) async -> FeedPage {
    guard let pipe, reached == offset else { return await begin(at: offset) }
    return await read(from: pipe)
  }

  private func read(from pipe: FeedPipe) async -> FeedPage {
    reached = nil
    let page = await pipe.page(of: size)
    reached = page.isLast || page.fault != nil ? nil : page.offset
    return page
  }

  /// Behind what was handed out before; the unpacking is done once more.
  private func begin(at offset: Int) async -> FeedPage {
    (pipe, reached) = (nil, nil)
    let file: OpenFile
    do throws(FileError) { file = try open() } catch {
      return FeedPage(offset: offset, fault: .unreadable("\(error)"))
    }
    let pipe = FeedPipe(packing) { () throws(CompressionError) in
      do throws(MachineError) { return try file.read() } catch {
        throw .unreadable("\(error)")
      }
    }
    self.pipe = pipe
    if let fault = await pipe.skip(to: offset) { return FeedPage(offset: offset, fault: fault) }
    return await read(from: pipe)
  }
}
