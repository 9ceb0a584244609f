/// How large a body a route reads. It is known before the first byte of the body is taken, so that
/// a client cannot make the server hold what no route wants.
package enum BodyLimit: Sendable, Hashable {
  /// Routes that only read, unknown paths and methods: a body there has no meaning, and a small one
  /// is read only so that the connection can go on.
  case none
  case form
  /// Texts that people write at length, and entries of lists.
  case document
  /// Photographs: as much as the server takes at all.
  case upload
  /// The same, from a patron who is signed in: it has room of its own.
  case patronUpload

  /// Larger bodies need a reservation; see `Admission`.
  static let small = 64 << 10

  func bytes(within limits: Limits) -> Int {
    switch self {
    case .none: min(4 << 10, limits.body)
    case .form: min(Self.small, limits.body)
    // One entry of a list may have a mebibyte; what is a little more gets its route's own words.
    case .document: min(1 << 20 + Self.small, limits.body)
    case .upload, .patronUpload: limits.body
    }
  }
}
