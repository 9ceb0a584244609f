import Compression
import Synchronization

/// An archive that is read where it lies, entry by entry, in any order. Nothing is unpacked to disk.
package final class ZipArchive: Sendable {
  /// What can be asked for, the first of each name, in the order of the directory.
  package let entries: [ZipEntry]
  package let warnings: [ZipWarning]
  /// The bytes of the whole file.
  package let size: Int
  private let limits: ZipLimits
  private let names: ZipNames
  private let handle: Mutex<ZipHandle>

  package convenience init(file: String, _ limits: ZipLimits = .standard) throws(ZipError) {
    let tail = try FileTail(of: file, upTo: EndRecord.reach)
    guard tail.size <= limits.archive else { throw .tooLarge(.archive, limit: limits.archive) }
    let end = try Self.checked(EndRecord(tail: tail.bytes, size: tail.size), limits)
    let handle = try ZipHandle(file: file, from: end.start, count: end.end - end.start)
    try self.init(handle, end, tail.size, limits)
  }

  package convenience init(_ bytes: [UInt8], _ limits: ZipLimits = .standard) throws(ZipError) {
    guard bytes.count <= limits.archive else { throw .tooLarge(.archive, limit: limits.archive) }
    let tail = Array(bytes.suffix(EndRecord.reach))
    let end = try Self.checked(EndRecord(tail: tail, size: bytes.count), limits)
    let handle = try ZipHandle(bytes: bytes[end.start..<end.end])
    try self.init(handle, end, bytes.count, limits)
  }

  private static func checked(_ end: EndRecord, _ limits: ZipLimits) throws(ZipError) -> EndRecord {
    if end.entries > limits.entries { throw .tooLarge(.entries, limit: limits.entries) }
    if end.directory > limits.directory { throw .tooLarge(.directory, limit: limits.directory) }
    guard end.start < end.end else { throw .unreadable("cut short") }
    return end
  }

  private init(_ handle: consuming ZipHandle, _ end: EndRecord, _ size: Int, _ limits: ZipLimits)
    throws(ZipError)
  {
    let count = handle.count
    guard count <= limits.entries else { throw .tooLarge(.entries, limit: limits.entries) }
    var names = ZipNames()
    var taken = 0
    for index in 0..<count {
      guard let (entry, isLink) = try handle.entry(index) else { continue }
      names.add(entry, isLink: isLink)
      // Each entry has a header of thirty bytes and its name before it.
      (taken, _) = taken.addingReportingOverflow(entry.packedSize + 30 + entry.name.utf8.count)
    }
    // More bytes in use than there are: some are used twice. A little happens to honest tools.
    if taken / 2 > size { throw .overlapping }
    if taken > size { names.warnings.append(.overlapping) }
    if end.start > 0 || end.end < size { names.warnings.append(.padded) }
    (self.size, self.limits, self.names) = (size, limits, names)
    (entries, warnings) = (names.entries, names.warnings)
    self.handle = Mutex(handle)
  }

  /// By its exact name, else by one that differs in composition, in case or in its slashes.
  package func entry(named name: String) -> (entry: ZipEntry, fit: ZipFit)? {
    names.find(name)
  }

  /// All of an entry. The bytes that really come out are counted, whatever its header says.
  package func read(_ entry: ZipEntry, upTo limit: Int, as form: ZipForm = .unpacked)
    throws(ZipError) -> [UInt8]
  {
    if form == .unpacked, let bytes = unpacked(entry, upTo: limit) { return bytes }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(max(0, entry.size), limit, 1 << 20))
    try read(entry, upTo: limit, as: form) { piece throws(ZipError) in
      bytes += piece
      return true
    }
    return bytes
  }

  /// An entry of the usual kind, unpacked outside of the lock: that is most of the work, and who
  /// reads beside does not wait for it. Nil where it is not just what the directory says, for a
  /// reader that is better at what is wrong.
  private func unpacked(_ entry: ZipEntry, upTo limit: Int) -> [UInt8]? {
    guard !entry.isStored, entry.size <= min(limit, limits.anyway),
      entry.packedSize <= entry.size + limits.slack
    else { return nil }
    var packed: [UInt8] = []
    packed.reserveCapacity(entry.packedSize)
    do throws(ZipError) {
      try handle.withLock { handle throws(ZipError) in
        try handle.read(entry, .packed) { piece throws(ZipError) in
          packed += piece
          return true
        }
      }
    } catch {
      return nil
    }
    guard let bytes = Inflater.inflate(packed, to: entry.size),
      CRC32(bytes).value == entry.checksum
    else { return nil }
    return bytes
  }

  /// An entry piece by piece, until `take` has had enough.
  package func read(
    _ entry: ZipEntry, upTo limit: Int, as form: ZipForm = .unpacked,
    _ take: ([UInt8]) throws(ZipError) -> Bool
  ) throws(ZipError) {
    let bounds = limits
    var produced = 0
    try handle.withLock { handle throws(ZipError) in
      try handle.read(entry, form) { piece throws(ZipError) in
        produced += piece.count
        if produced > limit { throw .tooLarge(.inflated, limit: limit) }
        if produced > bounds.anyway, produced / bounds.ratio > entry.packedSize {
          throw .tooLarge(.ratio, limit: bounds.ratio)
        }
        if form == .unpacked, produced - bounds.slack > entry.size {
          throw .tooLarge(.declared, limit: entry.size)
        }
        return try take(piece)
      }
    }
  }
}
