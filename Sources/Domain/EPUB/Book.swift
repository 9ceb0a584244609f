package import LCP
import Zip

/// A book as opened: what it is, what it is made of, and the ways into it. Opening reads the
/// archive's directory, the package and the contents, and no chapter: it does not take longer for a
/// longer book.
package struct Book: Sendable {
  /// What is read of a book when it is opened.
  package enum Extent: Sendable {
    case whole
    /// Without the ways into it, for who goes from its beginning to its end.
    case spine
  }

  package let container: Container
  package let document: PackageDocument
  package let navigation: Navigation
  /// What is wrong and was overlooked.
  package let faults: [Fault]
  /// For a book that its license opened: what it allows, and the key.
  package let license: License?
  let contentKey: ContentKey?

  /// Whether what is read of it must be written nowhere in clear.
  package var isLicensed: Bool { license != nil }

  package init(
    file: String, _ extent: Extent = .whole, with keys: BookKeys? = nil
  ) throws(OpeningError) {
    let archive: ZipArchive
    do throws(ZipError) { archive = try ZipArchive(file: file) } catch {
      if case .noFile(let cause) = error { throw .noFile(cause) }
      throw .refused(Foreign.refusal(file: file) ?? Refusal(error))
    }
    do throws(Refusal) { try self.init(archive, extent, keys) } catch { throw .refused(error) }
  }

  package init(
    _ bytes: [UInt8], _ extent: Extent = .whole, with keys: BookKeys? = nil
  ) throws(Refusal) {
    let archive: ZipArchive
    do throws(ZipError) { archive = try ZipArchive(bytes) } catch {
      throw Foreign.refusal(bytes) ?? Refusal(error)
    }
    try self.init(archive, extent, keys)
  }

  private init(
    _ archive: ZipArchive, _ extent: Extent, _ keys: BookKeys?
  ) throws(Refusal) {
    var faults = Faults()
    container = try Container(archive, &faults)
    if let keys, let opened = try keys.opened(container.protection) {
      (license, contentKey) = opened
    } else if let refusal = container.protection.refusal {
      throw refusal
    } else {
      (license, contentKey) = (nil, nil)
    }
    let reading = try PackageReading(container, faults)
    document = reading.document
    faults = reading.faults
    try Self.checkLocks(container.protection, document, isOpen: contentKey != nil, &faults)
    switch extent {
    case .whole:
      let finding = NavigationFinding(container, document, faults)
      (navigation, self.faults) = (finding.navigation, finding.faults.all)
    case .spine: (navigation, self.faults) = (Navigation(), faults.all)
    }
  }

  /// A locked chapter locks the book; a locked picture is a missing picture.
  private static func checkLocks(
    _ protection: Protection, _ document: PackageDocument, isOpen: Bool, _ faults: inout Faults
  ) throws(Refusal) {
    let locked = protection.locked.filter { !(isOpen && $0.value.isLCP) }
    guard !locked.isEmpty else { return }
    for item in document.spine {
      guard let path = item.shown?.path, let lock = locked[path] else { continue }
      throw Refusal(.drmUnknown, lock.algorithm.cleaned())
    }
    for path in locked.keys.sorted() { faults.note(.resourceEncrypted, path) }
  }

  /// How many places of a kilobyte the book has: one for each fixed page, and for other items as
  /// many as their packed size makes, at least one.
  package var positions: Int {
    document.readingOrder.reduce(0) { $0 + positions(of: $1) }
  }

  package func positions(of item: SpineItem) -> Int {
    guard !document.isFixed(item), let path = (item.shown ?? item.item).path,
      let (entry, _) = container.archive.entry(named: path)
    else { return 1 }
    return max(1, (entry.packedSize + 1023) / 1024)
  }

  /// Items of the manifest that are spoken while they are read.
  package var overlays: Int { document.manifest.count { $0.overlay != nil } }

  /// Addresses of what the book does not hold itself.
  package var remoteResources: [String] {
    document.manifest.compactMap {
      if case .remote(let address) = $0.place { address } else { nil }
    }
  }
}

extension Refusal {
  init(_ error: ZipError) {
    switch error {
    case .noFile(let cause), .unreadable(let cause): self.init(.zipUnreadable, cause)
    case .split: self.init(.zipSplit)
    case .encrypted(let entry): self.init(.zipEncrypted, entry.cleaned())
    case .unknownMethod(let entry, let method):
      self.init(.zipCompressionMethod, "\(entry.cleaned()): method \(method)")
    case .tooLarge(let measure, let limit):
      self.init(.tooLarge, "\(measure.rawValue) over \(limit)")
    case .overlapping: self.init(.tooLarge, "entries lie over one another")
    case .damaged(let entry): self.init(.zipUnreadable, entry.cleaned())
    }
  }
}
