import CZip

/// As the library that is linked tells it.
package var zipVersion: String {
  unsafe zip_libzip_version().map { unsafe String(cString: $0) } ?? ""
}
