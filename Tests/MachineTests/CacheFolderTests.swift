import Machine
import Testing

@Suite struct `A cache folder` {
  private let root: ScratchFolder
  private var folder: CacheFolder { CacheFolder("\(root.path)/cache") }

  init() throws { root = try ScratchFolder() }

  @Test func `A cache folder gives back what was put in, with its time`() throws {
    try folder.write([1, 2, 3], to: "a", at: 5000)
    let read = try #require(folder.read("a", upTo: 10))
    #expect(read.bytes == [1, 2, 3] && read.used == 5000)
    #expect(folder.all() == [CacheFolder.Kept(name: "a", size: 3, used: 5000)])
  }

  @Test func `A cache folder has nothing before anything was put in`() {
    #expect(folder.read("a", upTo: 10) == nil)
    #expect(folder.all().isEmpty)
    folder.remove("a")
    folder.touch("a", at: 1)
  }

  @Test func `A cache folder replaces whole files, and leaves no drafts`() throws {
    try folder.write([1], to: "a", at: 1000)
    try folder.write([2, 2], to: "a", at: 2000)
    #expect(folder.all() == [CacheFolder.Kept(name: "a", size: 2, used: 2000)])
  }

  @Test func `A cache folder makes a file young again`() throws {
    try folder.write([1], to: "a", at: 1000)
    folder.touch("a", at: 9500)
    #expect(folder.all().map(\.used) == [9500])
    folder.remove("a")
    #expect(folder.all().isEmpty)
  }

  @Test func `A cache folder reads no more than it is told to`() throws {
    try folder.write([1, 2, 3], to: "a", at: 0)
    #expect(folder.read("a", upTo: 2) == nil)
    #expect(folder.read("a", upTo: 3) != nil)
  }

  @Test func `A cache folder that cannot be made takes nothing`() {
    let none = CacheFolder("/dev/null/cache")
    #expect(throws: FileError.self) { try none.write([1], to: "a", at: 0) }
  }
}
