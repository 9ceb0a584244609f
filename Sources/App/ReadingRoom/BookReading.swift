package import EPUB
package import Items
import LCP
import Machine
package import Setup

/// Where book files are opened and looked at, without settings, accounts or a database.
package struct ReadingRoom: BookFiles {
  private let key: LockKey?

  package init() { key = nil }

  private init(_ key: LockKey) { self.key = key }

  package func unlocking(with key: LockKey) -> any BookFiles { ReadingRoom(key) }

  func open(_ source: BookSource, _ extent: Book.Extent = .whole) throws(ErrorItem) -> Book {
    try Self.open(source, extent, with: key?.keys(at: Time.system.now()))
  }

  package func inspect(_ source: BookSource) throws(ErrorItem) -> BookItem {
    BookItem(try open(source))
  }

  package func contents(of source: BookSource) throws(ErrorItem) -> [ContentsItem] {
    let book = try open(source)
    var places: [String: Int] = [:]
    for (place, item) in book.document.spine.enumerated() {
      // A link leads to the first place an item stands at.
      for path in [item.item.path, item.shown?.path].compactMap(\.self) where places[path] == nil {
        places[path] = place
      }
    }
    return book.navigation.contents.map { entry in
      var item = ContentsItem(
        title: entry.label.isEmpty ? "Untitled" : entry.label, depth: entry.depth)
      guard let target = entry.target else { return item }
      switch target.place {
      case .inside(let path):
        item.href = target.fragment.map { "\(path)#\($0)" } ?? path
        item.spine = places[path]
      case .remote(let address): item.href = address
      case .data, .blocked: break
      }
      return item
    }
  }

  package func examine(_ source: BookSource) throws(ErrorItem) -> [FaultItem] {
    try open(source).examine().map(FaultItem.init)
  }

  package static func open(
    _ source: BookSource, _ extent: Book.Extent = .whole, with keys: BookKeys? = nil
  ) throws(ErrorItem) -> Book {
    do throws(OpeningError) {
      switch source {
      case .file(let path): return try Book(file: path, extent, with: keys)
      case .bytes(let bytes):
        do throws(Refusal) { return try Book(bytes, extent, with: keys) } catch {
          throw .refused(error)
        }
      }
    } catch {
      throw ErrorItem(error)
    }
  }
}

extension ErrorItem {
  package init(_ error: OpeningError) {
    switch error {
    case .noFile(let cause): self.init("unreadable", cause)
    case .refused(let refusal): self.init(refusal)
    }
  }

  private init(_ refusal: Refusal) {
    guard let license = refusal.license, license.asksForPassphrase else {
      self.init(refusal.code.rawValue, refusal.detail)
      return
    }
    // The detail is what the lender says that helps to remember.
    self.init(license.reason.rawValue, refusal.note?.hint ?? "")
    providerSays = refusal.note?.hintPage
    library = refusal.note?.provider
  }
}

extension FaultItem {
  fileprivate init(_ fault: Fault) {
    self.init(code: fault.code.rawValue, subject: fault.subject)
  }
}

extension BookItem {
  /// What is shown of a text that somebody else wrote.
  private static func shown(_ text: String) -> String { String(text.prefix(1000)) }

  fileprivate init(_ book: Book) {
    let (document, metadata, navigation) = (book.document, book.document.metadata, book.navigation)
    self.init(version: document.version)
    title = metadata.title.map(Self.shown)
    subtitle = metadata.subtitle.map(Self.shown)
    creators = metadata.creators.map { Self.shown($0.name) }
    language = metadata.language
    identifier = metadata.uniqueIdentifier
    published = metadata.published
    modified = metadata.modified
    publisher = metadata.publishers.first.map(Self.shown)
    series = metadata.series.map { Series(name: Self.shown($0.name), position: $0.position) }
    spineLength = document.spine.count
    (tocEntries, tocTopLevel) = (navigation.contents.count, navigation.topLevel)
    tocSource = navigation.source.rawValue
    (pageListEntries, landmarks) = (navigation.pages.count, navigation.landmarks.count)
    cover = book.cover()?.path
    pageProgression = document.progression.rawValue
    isFixedLayout = document.rendition.layout == .prePaginated
    (mediaOverlays, positions) = (book.overlays, book.positions)
    remoteResources = book.remoteResources
    obfuscatedFonts = book.container.protection.obfuscated.count
    faults = book.faults.map(FaultItem.init)
  }
}
