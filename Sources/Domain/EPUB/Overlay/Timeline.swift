import XML

/// A book read aloud from beginning to end: the clips of all its documents in a row.
package struct Timeline: Sendable {
  package struct Entry: Sendable, Hashable {
    package let clip: Overlay.Clip
    /// The item of the spine whose overlay it is from.
    package let spine: Int
    /// Seconds from the beginning of the book.
    package let start: Double
    /// Zero for words without a recording.
    package let duration: Double
  }

  package private(set) var entries: [Entry] = []
  package private(set) var duration = 0.0
  /// Overlays that could not be read, each by its path.
  package private(set) var unread: [String] = []

  package init(_ book: Book) {
    var seen: Set<String> = []
    for (spine, item) in book.document.spine.enumerated() {
      guard let id = (item.shown ?? item.item).overlay, seen.insert(id).inserted,
        let overlay = book.document.item(id), let path = overlay.path
      else { continue }
      do {
        add(
          try book.overlay(at: path), spine,
          whole: book.document.metadata.media.durations[id].flatMap(ClockValue.seconds))
      } catch {
        unread.append(path)
      }
    }
  }

  /// Clips that last to the end of their recording share what the package says there is left.
  private mutating func add(_ overlay: Overlay, _ spine: Int, whole: Double?) {
    let known = overlay.clips.reduce(0) { $0 + ($1.duration ?? 0) }
    let open = overlay.clips.count { $0.duration == nil }
    let rest = max(0, (whole ?? known) - known)
    for clip in overlay.clips {
      let length = clip.duration ?? rest / Double(max(1, open))
      entries.append(Entry(clip: clip, spine: spine, start: duration, duration: length))
      duration += length
    }
  }

  /// What is said so many seconds into the book.
  package func entry(at seconds: Double) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start <= seconds { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// Where an element is said.
  package func entry(for path: String, fragment: String?) -> Int? {
    entries.firstIndex {
      $0.clip.text.path == path && (fragment == nil || $0.clip.text.fragment == fragment)
    }
  }
}

extension Book {
  package func overlay(at path: String) throws(ResourceError) -> Overlay {
    let bytes = try bytes(of: path, upTo: Limits.chapter)
    do throws(XMLError) { return Overlay(try SourceTree(bytes), at: path) } catch {
      throw .unreadable
    }
  }
}
