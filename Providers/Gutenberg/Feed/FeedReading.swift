import Circulation
import Compression
import Machine

/// One version of the feed, read page by page. While a page is stored the next one is made.
actor FeedReading {
  /// Opens the file from its beginning.
  typealias Opening = @Sendable () throws(FileError) -> OpenFile

  private let open: Opening
  private let packing: FeedPipe.Packing
  private let size: Int
  private var ahead: (offset: Int, page: Task<FeedPage, Never>)?
  private var pipe: FeedPipe?

  init(_ packing: FeedPipe.Packing, pagesOf size: Int, opening open: @escaping Opening) {
    (self.packing, self.size, self.open) = (packing, size, open)
  }

  func page(at offset: Int) async -> FeedPage {
    let page: FeedPage
    if let ahead, ahead.offset == offset {
      page = await ahead.page.value
    } else {
      ahead?.page.cancel()
      page = await begin(at: offset)
    }
    ahead = nil
    if !page.isLast, page.fault == nil, let pipe {
      ahead = (page.offset, Task { [size] in await pipe.page(of: size) })
    }
    return page
  }

  /// Behind what was handed out before; the unpacking is done once more.
  private func begin(at offset: Int) async -> FeedPage {
    pipe = nil
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
    return await pipe.page(of: size)
  }
}
