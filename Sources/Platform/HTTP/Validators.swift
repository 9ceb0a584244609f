/// What tells one version of a resource from the next, and the conditions a request may put on
/// it. A handler that changes something asks `verdict` before it does; pages are checked by the
/// server.
package struct Validators: Sendable, Hashable {
  package var etag: EntityTag?
  package var lastModified: HTTPDate?

  package init(etag: EntityTag? = nil, lastModified: HTTPDate? = nil) {
    (self.etag, self.lastModified) = (etag, lastModified)
  }

  package enum Verdict: Sendable, Hashable {
    case proceed
    /// 304
    case notModified
    /// 412
    case failed
  }

  /// The order of RFC 9110 §13.2.2. `exists` is false where there is nothing yet, as for a first
  /// `PUT`: then `If-Match: *` fails and `If-None-Match: *` lets it pass.
  package func verdict(
    for method: Method, _ headers: Headers, exists: Bool = true
  ) -> Verdict {
    let isRead = method == .get || method == .head
    if let field = headers.joined("If-Match") {
      switch EntityTag.List(field) {
      case .any: if !exists { return .failed }
      case .tags(let tags):
        let held = etag.map { tag in tags.contains { $0.matchesStrongly(tag) } } ?? false
        if !exists || !held { return .failed }
      }
    } else if let date = headers["If-Unmodified-Since"].flatMap({ HTTPDate($0) }) {
      if let lastModified, lastModified > date { return .failed }
    }
    if let field = headers.joined("If-None-Match") {
      switch EntityTag.List(field) {
      case .any: if exists { return isRead ? .notModified : .failed }
      case .tags(let tags):
        let held = etag.map { tag in tags.contains { $0.matchesWeakly(tag) } } ?? false
        if exists && held { return isRead ? .notModified : .failed }
      }
    } else if isRead, let date = headers["If-Modified-Since"].flatMap({ HTTPDate($0) }) {
      if let lastModified, lastModified <= date { return .notModified }
    }
    return .proceed
  }

  /// Whether a `Range` still means the version the client has a part of (RFC 9110 §13.1.5). A
  /// date counts as strong only when it is exactly the one that was sent.
  package func allowsRange(_ headers: Headers) -> Bool {
    guard let field = headers["If-Range"] else { return true }
    if let tag = EntityTag(parsing: field) { return etag?.matchesStrongly(tag) ?? false }
    guard let date = HTTPDate(field), let lastModified else { return false }
    return date == lastModified
  }
}
