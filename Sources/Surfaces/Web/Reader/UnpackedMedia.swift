import Chapters
import Circulation
import EPUB
import HTTPServer
import Machine
import Synchronization

/// Recordings, films and large pictures of books, unpacked into files without a name, from which all
/// answers are sent that want them. So the memory holds none of them, however slowly they are taken, and
/// a part of one is not unpacked again for each piece that a player asks for. What may lie on the disk is
/// bounded, in all and for each patron.
package final class UnpackedMedia: Sendable {
  struct Key: Hashable {
    let digest: String
    let path: String
  }

  private struct Slot {
    let key: Key
    let patron: PatronID
    let bytes: Int
    /// While answers are sent from it.
    weak var file: FileBody?
    /// While it is kept for the next answer.
    var kept: FileBody?
  }

  package struct Bounds: Sendable {
    package var all = 2 << 30
    /// A first one is always unpacked.
    package var ofOnePatron = 512 << 20
    package var kept = 512 << 20

    package init() {}
  }

  private let folder: String
  private let bounds: Bounds
  /// The one not asked for longest first.
  private let slots = Mutex<[Slot]>([])

  package init(in folder: String, _ bounds: Bounds = Bounds()) {
    (self.folder, self.bounds) = (folder, bounds)
  }

  /// Nil where there is no room. To be called one at a time, as by `PartMaking`.
  func file(
    of media: BookMedia, _ key: Key, for patron: PatronID
  ) throws(ResourceError) -> FileBody? {
    if let known = known(key) { return known }
    guard makeRoom(for: media.length, patron),
      (try? Folder.makePrivate(folder)) != nil,
      let file = try FileBody.unnamed(
        in: folder, { append throws(ResourceError) in try media.read(append) })
    else { return nil }
    slots.withLock { slots in
      slots.append(Slot(key: key, patron: patron, bytes: file.length, file: file, kept: file))
      Self.shrink(&slots, to: bounds.kept) { $0.kept != nil }
    }
    return file
  }

  private func known(_ key: Key) -> FileBody? {
    slots.withLock { slots in
      guard let place = slots.firstIndex(where: { $0.key == key }), let file = slots[place].file
      else { return nil }
      let slot = slots.remove(at: place)
      slots.append(slot)
      return file
    }
  }

  private func makeRoom(for bytes: Int, _ patron: PatronID) -> Bool {
    slots.withLock { slots in
      Self.shrink(&slots, to: bounds.ofOnePatron - bytes) { $0.patron == patron }
      Self.shrink(&slots, to: bounds.all - bytes) { _ in true }
      let own = slots.filter { $0.patron == patron }.reduce(0) { $0 + $1.bytes }
      let all = slots.reduce(0) { $0 + $1.bytes }
      return (own == 0 || own + bytes <= bounds.ofOnePatron) && all + bytes <= bounds.all
    }
  }

  /// Lets go of kept files until those that count come to no more than `most`, as far as no answer is
  /// sent from them.
  private static func shrink(_ slots: inout [Slot], to most: Int, _ counts: (Slot) -> Bool) {
    slots.removeAll { $0.file == nil }
    var total = slots.filter(counts).reduce(0) { $0 + $1.bytes }
    for place in slots.indices where total > most && slots[place].kept != nil {
      guard counts(slots[place]) else { continue }
      total -= slots[place].bytes
      slots[place].kept = nil
    }
    slots.removeAll { $0.file == nil }
  }
}
