import Markup
import XML
import Zip

extension Book {
  /// Reads everything, as opening does not: what is damaged, what is too large, which chapters are
  /// not well-formed, and which of their links and pictures lead nowhere.
  package func examine() -> [Fault] {
    var examination = Examination(self)
    examination.run()
    return examination.found.all
  }
}

private struct Examination {
  let book: Book
  var found = Faults()
  /// The places that can be linked to in each page.
  private var anchors: [String: Set<String>] = [:]
  private var links: [(from: String, target: Reference)] = []
  private static let mostLinks = 200_000

  init(_ book: Book) {
    self.book = book
    for fault in book.faults { found.note(fault.code, fault.subject) }
  }

  mutating func run() {
    var seen: Set<String> = []
    for item in book.document.manifest {
      guard let path = item.path, seen.insert(path).inserted,
        let (entry, _) = book.container.archive.entry(named: path),
        case let lock = book.container.protection.locked[path], lock == nil || book.isLicensed
      else { continue }
      if item.mediaType.isDocument {
        examine(path, item.mediaType)
      } else if lock != nil {
        examineLocked(path)
      } else {
        examine(entry)
      }
    }
    checkLinks(seen)
  }

  private mutating func examine(_ path: String, _ type: MediaType) {
    let bytes: [UInt8]
    do throws(ResourceError) { bytes = try book.bytes(of: path, upTo: Limits.chapter) } catch {
      found.note(error == .tooLarge ? .entryTooLarge : .entryUnreadable, path)
      return
    }
    do throws(XMLError) {
      let page = try BookXML(bytes)
      // HTML has other rules, and no way to be malformed.
      if let fault = page.fault, type.text != "text/html" {
        found.note(.xhtmlMalformed, "\(path): \(fault)")
      }
      gather(page.root, path)
    } catch {
      found.note(.xhtmlMalformed, "\(path): \(error)")
    }
  }

  private mutating func examineLocked(_ path: String) {
    do throws(ResourceError) { _ = try book.bytes(of: path, upTo: Limits.locked) } catch {
      found.note(error == .tooLarge ? .entryTooLarge : .entryUnreadable, path)
    }
  }

  private mutating func gather(_ root: Element, _ path: String) {
    var ids: Set<String> = []
    for element in [root] + root.descendants(where: { _ in true }) {
      if let id = element.any("id") { ids.insert(id) }
      if element.kind == "a", let name = element["name"] { ids.insert(name) }
      guard let attribute = Self.leading[element.kind], let written = element.any(attribute),
        links.count < Self.mostLinks
      else { continue }
      links.append((path, Reference(written, from: path)))
    }
    anchors[path] = ids
  }

  /// Which attribute of which element is an address.
  private static let leading = [
    "a": "href", "area": "href", "link": "href", "img": "src", "image": "href", "source": "src",
    "audio": "src", "video": "src", "iframe": "src", "object": "data",
  ]

  private mutating func checkLinks(_ listed: Set<String>) {
    for (from, target) in links {
      guard let path = target.path else { continue }
      guard let (entry, _) = book.container.archive.entry(named: path) else {
        found.note(.resourceMissing, "\(from): \(path)")
        continue
      }
      // The package is no resource, and is what a place told step by step begins with.
      guard entry.name != book.document.path else { continue }
      if !listed.contains(entry.name) { found.note(.resourceUnlisted, "\(from): \(path)") }
      // Other notations, such as a place told step by step, are no names.
      guard let fragment = target.fragment, !fragment.isEmpty, !fragment.contains("("),
        let ids = anchors[entry.name], !ids.contains(fragment)
      else { continue }
      found.note(.fragmentMissing, "\(from): \(path)#\(fragment)")
    }
  }

  /// Unpacked piece by piece and never held: only its length and its checksum count.
  private mutating func examine(_ entry: ZipEntry) {
    guard book.container.protection.obfuscated[entry.name] == nil else { return }
    do throws(ZipError) {
      try book.container.archive.read(entry, upTo: Limits.media) { _ throws(ZipError) in true }
    } catch {
      if case .tooLarge = error {
        found.note(.entryTooLarge, entry.name)
      } else {
        found.note(.entryUnreadable, entry.name)
      }
    }
  }
}
