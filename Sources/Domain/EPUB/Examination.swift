import XML
import Zip

extension Book {
  /// Reads everything, as opening does not: what is damaged, what is too large, and which chapters
  /// are not well-formed.
  package func examine() -> [Fault] {
    var found = Faults()
    for fault in faults { found.note(fault.code, fault.subject) }
    var seen: Set<String> = []
    for item in document.manifest {
      guard let path = item.path, seen.insert(path).inserted,
        let (entry, _) = container.archive.entry(named: path),
        container.protection.locked[path] == nil
      else { continue }
      if item.mediaType.isDocument {
        examine(path, item.mediaType, &found)
      } else {
        examine(entry, &found)
      }
    }
    return found.all
  }

  private func examine(_ path: String, _ type: MediaType, _ found: inout Faults) {
    let bytes: [UInt8]
    do throws(ResourceError) { bytes = try self.bytes(of: path, upTo: Limits.chapter) } catch {
      found.note(error == .tooLarge ? .entryTooLarge : .entryUnreadable, path)
      return
    }
    // HTML has other rules, and no way to be malformed.
    guard type.text != "text/html" else { return }
    do throws(XMLError) {
      if let fault = try BookXML(bytes).fault { found.note(.xhtmlMalformed, "\(path): \(fault)") }
    } catch {
      found.note(.xhtmlMalformed, "\(path): \(error)")
    }
  }

  /// Unpacked piece by piece and never held: only its length and its checksum count.
  private func examine(_ entry: ZipEntry, _ found: inout Faults) {
    guard container.protection.obfuscated[entry.name] == nil else { return }
    do throws(ZipError) {
      try container.archive.read(entry, upTo: Limits.media) { _ throws(ZipError) in true }
    } catch {
      if case .tooLarge = error {
        found.note(.entryTooLarge, entry.name)
      } else {
        found.note(.entryUnreadable, entry.name)
      }
    }
  }
}
