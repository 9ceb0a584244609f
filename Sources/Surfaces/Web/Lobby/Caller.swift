import Circulation
import Crypto
import FrontDesk
import HTTP
import HTTPServer
import Registry
import Secrets

/// Who asks for a page, and what may be shown.
struct Caller: Sendable {
  let request: Request
  /// Nil for strangers.
  var reader: Reader?
  let reach: Reach
  /// Libraries that did not answer lately.
  let silent: Set<LibraryID>
  /// Another one after every change that anybody may see.
  let sight: String
  /// Another one after every change that a page may show.
  let pulse: String
  /// Milliseconds since 1970.
  let now: Int64

  /// Somebody who has signed in.
  struct Reader: Sendable {
    let pass: BrowserPass
    let seal: FormSeal

    var patron: PatronID { pass.patron }
  }

  var shelf: ReaderShelf? { reach.shelf }
  var dayOrder: DayOrder { DayOrder(AcceptedLanguages(request["Accept-Language"])) }
  var query: FormFields { request.query }

  /// A link inside the site, with its base path.
  func link(_ path: String, _ query: FormFields = FormFields()) -> String {
    request.link(query.isEmpty ? path : "\(path)?\(query.encoded)")
  }

  /// This address, without base path and query: where its forms go.
  var pathHere: String {
    request.path.map { "/" + PercentCoding.encode(segment: $0) }.joined()
  }

  /// This page, without base path, to come back to.
  var here: String { place(request.head.rawQuery ?? "") }

  /// As much of an address as `Onward` takes: what is longer would be repeated in vain.
  private func place(_ query: String) -> String {
    let path = pathHere
    guard (1...Onward.longest).contains(path.utf8.count) else { return "/" }
    let whole = query.isEmpty ? path : "\(path)?\(query)"
    return whole.utf8.count <= Onward.longest ? whole : path
  }
}

extension Caller {
  /// Names in an address that choose what a page shows. All others are forgotten: a page has many
  /// forms, and each would repeat them.
  private static let choices: Set = [
    "q", "query", "title", "author", "genre", "available", "format", "language", "library", "sort",
    "count", "page", "show", "from",
  ]
  /// Of a query that is repeated in every form.
  private static let longestChoice = 600

  /// This page without what was just done on it, for forms that come back to it.
  var hereAgain: String {
    let kept = FormFields(query.fields.filter { Self.choices.contains($0.name) }).encoded
    return place(kept.utf8.count <= Self.longestChoice ? kept : "")
  }
}

/// What proves that a form was made here, for whoever sends it: only the browser that keeps the
/// cookie was given a page with it.
struct FormSeal: Sendable, Hashable {
  static let field = "seal"
  let text: String

  init(_ cookie: Secret) {
    let mark = Digest.sha256.authenticate(Array("carrel/form".utf8), key: cookie)
    text = Base64.urlSafe.encode(Array(mark.prefix(18)))
  }

  /// Without telling by the time it takes how much was right. A browser that says that another site
  /// sent the form is believed; one that does not say is judged by the seal alone.
  func allows(_ request: Request, _ form: FormFields) -> Bool {
    guard request.isFromHere else { return false }
    return constantTimeEqual(Array((form[Self.field] ?? "").utf8), Array(text.utf8))
  }
}

extension Request {
  /// Whether a page of this site sends the form, as far as the browser says. `Origin` is compared even
  /// where `Sec-Fetch-Site` fits. `null` comes from pages without an origin, and from browsers or
  /// extensions that hide it: only `Sec-Fetch-Site` tells these apart.
  var isFromHere: Bool {
    let site = self["Sec-Fetch-Site"]
    if let site, site != "same-origin", site != "none" { return false }
    guard let origin = self["Origin"] else { return true }
    return origin == "null" ? site == "same-origin" : isOwnOrigin(origin)
  }
}

/// A place of this site to go on to, and never one elsewhere.
struct Onward: Sendable, Hashable {
  static let field = "then"
  static let longest = 1000
  /// Without base path.
  let path: String

  static let home = Onward(unchecked: "/")

  private init(unchecked path: String) { self.path = path }

  /// Home for what a browser, a proxy or a router could take for an address elsewhere, and for pages
  /// that would lead in a circle.
  init(_ text: String?) {
    guard let text, text.utf8.count <= Self.longest, Self.isPlace(text) else {
      self = .home
      return
    }
    path = text
  }

  /// A path as our routes print them, whose first segment is a plain word, and perhaps a query.
  private static func isPlace(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 && $0 != 0x5C }),
      text.utf8.first == UInt8(ascii: "/")
    else { return false }
    let parts = text.dropFirst().split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1 {
      let query = FormFields(parsing: String(parts[1]))
      guard query.fields.allSatisfy({ isClean($0.name) && isClean($0.value) }) else { return false }
    }
    if parts[0].isEmpty { return true }
    let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    guard segments[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
      !segments[0].hasPrefix("sign-")
    else { return false }
    return segments.allSatisfy { segment in
      guard let plain = PercentCoding.decode(String(segment)) else { return false }
      return !plain.isEmpty && plain != "." && plain != ".." && !plain.contains("\\")
        && isClean(plain)
    }
  }

  private static func isClean(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
