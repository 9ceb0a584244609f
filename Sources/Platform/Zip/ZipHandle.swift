import CZip
import Glibc

/// libzip's archive: one owner, closed once, nothing ever written. Reading jumps about in the file.
///
/// `@unchecked Sendable` because a pointer is not: libzip ties an archive to no thread and may be used
/// from any, one at a time. There is one owner, who cannot copy it and keeps it in a lock; without
/// this the lock would not lend it to a reader that was passed in.
@safe struct ZipHandle: ~Copyable, @unchecked Sendable {
  private let archive: OpaquePointer

  /// A part of a file.
  init(file: String, from start: Int, count: Int) throws(ZipError) {
    var fault = unsafe zip_error_t()
    unsafe zip_error_init(&fault)
    let source = unsafe zip_source_file_create(file, UInt64(start), Int64(count), &fault)
    try unsafe self.init(source)
  }

  /// The library keeps a copy of its own, which lives as long as the archive.
  init(bytes: ArraySlice<UInt8>) throws(ZipError) {
    guard let copy = unsafe malloc(max(1, bytes.count)) else { throw .unreadable("no memory") }
    unsafe bytes.withUnsafeBytes { bytes in
      if let from = bytes.baseAddress { unsafe _ = memcpy(copy, from, bytes.count) }
    }
    var fault = unsafe zip_error_t()
    unsafe zip_error_init(&fault)
    guard let source = unsafe zip_source_buffer_create(copy, UInt64(bytes.count), 1, &fault) else {
      unsafe free(copy)
      throw .unreadable("no memory")
    }
    try unsafe self.init(source)
  }

  private init(_ source: OpaquePointer?) throws(ZipError) {
    guard let source = unsafe source else { throw .unreadable("cannot be opened") }
    var fault = unsafe zip_error_t()
    unsafe zip_error_init(&fault)
    guard let archive = unsafe zip_open_from_source(source, ZIP_RDONLY, &fault) else {
      let isSplit = unsafe fault.zip_err == ZIP_ER_MULTIDISK
      unsafe zip_error_fini(&fault)
      unsafe zip_source_free(source)
      throw isSplit ? .split : .unreadable("no directory")
    }
    unsafe self.archive = archive
  }

  deinit { unsafe zip_discard(archive) }

  var count: Int { unsafe Int(zip_get_num_entries(archive, 0)) }

  /// What the directory says of one entry; nil where it says too little.
  func entry(_ index: Int) throws(ZipError) -> (entry: ZipEntry, isLink: Bool)? {
    var told = unsafe zip_stat_t()
    guard unsafe zip_stat_index(archive, UInt64(index), 0, &told) == 0,
      let name = unsafe told.name.map({ unsafe String(cString: $0) })
    else { return nil }
    let method = unsafe Int(told.comp_method)
    if unsafe told.encryption_method != UInt16(ZIP_EM_NONE) { throw .encrypted(entry: name) }
    if method != ZIP_CM_STORE, method != ZIP_CM_DEFLATE {
      throw .unknownMethod(entry: name, method)
    }
    let entry = unsafe ZipEntry(
      index: index, name: name, size: Int(clamping: told.size),
      packedSize: Int(clamping: told.comp_size), isStored: method == ZIP_CM_STORE,
      checksum: told.crc)
    return (entry, isLink(index))
  }

  /// Unix keeps a file's kind in the upper half of its attributes.
  private func isLink(_ index: Int) -> Bool {
    var (system, attributes) = (UInt8(0), UInt32(0))
    guard
      unsafe zip_file_get_external_attributes(
        archive, UInt64(index), 0, &system, &attributes) == 0, system == UInt8(ZIP_OPSYS_UNIX)
    else { return false }
    return (attributes >> 16) & 0o170000 == 0o120000
  }

  /// Hands out an entry piece by piece until `take` has enough. `isPacked` leaves it as it lies.
  func read(
    _ entry: ZipEntry, _ form: ZipForm, _ take: ([UInt8]) throws(ZipError) -> Bool
  ) throws(ZipError) {
    let flags: zip_flags_t = form == .packed ? UInt32(ZIP_FL_COMPRESSED) : 0
    guard let file = unsafe zip_fopen_index(archive, UInt64(entry.index), flags) else {
      throw .damaged(entry: entry.name)
    }
    defer { unsafe _ = zip_fclose(file) }
    let room = min(max(entry.size, 1 << 10), 64 << 10)
    while true {
      var got: Int64 = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, written in
        got = unsafe zip_fread(file, target.baseAddress, UInt64(room))
        written = Int(max(0, got))
      }
      guard got >= 0 else { throw .damaged(entry: entry.name) }
      // Nothing more: by now the library has compared size and checksum.
      if got == 0 { return }
      guard try take(piece) else { return }
    }
  }
}

/// How an entry is read.
package enum ZipForm: Sendable, Hashable {
  case unpacked
  /// As it lies in the archive.
  case packed
}
