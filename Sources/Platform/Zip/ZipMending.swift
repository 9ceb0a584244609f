import CZip
import Glibc

extension ZipArchive {
  /// Puts an entry, unpacked, into an archive on the disk, in the place of one of that name. All others
  /// are copied as they lie; the file is exchanged for the new one in one step.
  package static func put(_ bytes: [UInt8], as name: String, into file: String) throws(ZipError) {
    var fault: CInt = 0
    guard let archive = unsafe zip_open(file, 0, &fault) else {
      throw .unreadable("cannot be changed")
    }
    // The library takes what it is given and frees it.
    guard let copy = unsafe malloc(max(1, bytes.count)) else {
      unsafe zip_discard(archive)
      throw .unreadable("no memory")
    }
    unsafe bytes.withUnsafeBytes { bytes in
      if let from = bytes.baseAddress { unsafe _ = memcpy(copy, from, bytes.count) }
    }
    guard let source = unsafe zip_source_buffer(archive, copy, UInt64(bytes.count), 1) else {
      unsafe free(copy)
      unsafe zip_discard(archive)
      throw .unreadable("no memory")
    }
    let flags = UInt32(ZIP_FL_OVERWRITE) | UInt32(ZIP_FL_ENC_UTF_8)
    let place = unsafe zip_file_add(archive, name, source, flags)
    guard place >= 0 else {
      unsafe zip_source_free(source)
      unsafe zip_discard(archive)
      throw .unreadable("cannot be changed")
    }
    guard unsafe zip_set_file_compression(archive, UInt64(place), ZIP_CM_STORE, 0) == 0,
      unsafe zip_close(archive) == 0
    else {
      unsafe zip_discard(archive)
      throw .unreadable("cannot be written")
    }
  }
}
