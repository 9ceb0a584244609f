import Compression

/// A ZIP archive to order (PKWARE APPNOTE 4.3), sound or broken in any way a test asks for.
package struct TestArchive: Sendable {
  package struct Entry: Sendable {
    package var name: [UInt8]
    /// As it lies in the archive.
    package var packed: [UInt8]
    package var size: Int
    package var sum: UInt32
    package var method = 0
    /// Bit 11: the name is UTF-8.
    package var flags = 0x0800
    /// Of a Unix file, in the upper half.
    package var attributes = 0
    /// The bytes are those of the first entry: there are none of its own.
    package var sharesBytes = false

    package init(_ name: String, _ content: [UInt8]) {
      self.name = Array(name.utf8)
      (packed, size, sum) = (content, content.count, CRC32(content).value)
    }

    package init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    /// With deflate. The frame of gzip is ten bytes before and eight behind.
    package func deflated() -> Entry {
      var entry = self
      entry.packed = Array((Gzip.compress(packed) ?? []).dropFirst(10).dropLast(8))
      entry.method = 8
      return entry
    }
  }

  package var entries: [Entry]
  package var comment: [UInt8] = []
  /// Bytes before the archive, of which its offsets know nothing.
  package var before: [UInt8] = []
  package var after: [UInt8] = []
  /// The number of the disk in the end record.
  package var disk = 0

  package init(_ entries: [Entry]) { self.entries = entries }

  package subscript(_ name: String) -> Entry? {
    get { entries.first { $0.name == Array(name.utf8) } }
    set {
      let place = entries.firstIndex { $0.name == Array(name.utf8) }
      switch (place, newValue) {
      case (let place?, let entry?): entries[place] = entry
      case (let place?, nil): entries.remove(at: place)
      case (nil, let entry?): entries.append(entry)
      case (nil, nil): break
      }
    }
  }

  package var bytes: [UInt8] {
    var out: [UInt8] = []
    var offsets: [Int] = []
    for entry in entries {
      offsets.append(entry.sharesBytes ? 0 : out.count)
      if entry.sharesBytes { continue }
      Self.put(0x0403_4B50, 4, &out)
      Self.common(entry, &out)
      out += entry.name + entry.packed
    }
    let start = out.count
    for (entry, offset) in zip(entries, offsets) {
      Self.put(0x0201_4B50, 4, &out)
      // Made on Unix, with version 2.0 of the format.
      Self.put(0x0314, 2, &out)
      Self.common(entry, &out)
      Self.put(0, 2, &out)
      Self.put(0, 2, &out)
      Self.put(0, 2, &out)
      Self.put(entry.attributes, 4, &out)
      Self.put(offset, 4, &out)
      out += entry.name
    }
    let length = out.count - start
    Self.put(0x0605_4B50, 4, &out)
    Self.put(disk, 2, &out)
    Self.put(disk, 2, &out)
    Self.put(entries.count, 2, &out)
    Self.put(entries.count, 2, &out)
    Self.put(length, 4, &out)
    Self.put(start, 4, &out)
    Self.put(comment.count, 2, &out)
    return before + out + comment + after
  }

  /// What the local header and the directory say alike.
  private static func common(_ entry: Entry, _ out: inout [UInt8]) {
    put(20, 2, &out)
    put(entry.flags, 2, &out)
    put(entry.method, 2, &out)
    put(0, 2, &out)
    put(0x21, 2, &out)
    put(Int(entry.sum), 4, &out)
    put(entry.packed.count, 4, &out)
    put(entry.size, 4, &out)
    put(entry.name.count, 2, &out)
    put(0, 2, &out)
  }

  private static func put(_ value: Int, _ width: Int, _ out: inout [UInt8]) {
    for shift in 0..<width { out.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
  }
}
