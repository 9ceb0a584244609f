import HTTP
import HTTPServer
import Registry

/// What the pages keep in a browser. Over TLS the names begin as browsers are told to guard them
/// (RFC 6265bis §4.1.3): nobody but this very host can set such a cookie, no neighbor in its domain and
/// nobody who sits on a line without TLS. Below a path, which such a host may share, `__Secure-` is
/// the most there is.
enum PageCookie: String, Sendable {
  case pass = "carrel_pass"
  case door = "carrel_door"
  case link = "carrel_link"
  case look = "carrel_look"
  case tongue = "carrel_tongue"
  /// The library that was named at the last sign-in.
  case library = "carrel_library"
  /// Tells the patron's own browser from strangers who guess at the same number; it opens nothing.
  case device = "carrel_device"

  func name(over request: Request) -> String {
    guard request.scheme == "https" else { return rawValue }
    return (request.basePath.description.isEmpty ? "__Host-" : "__Secure-") + rawValue
  }
}

/// A pass as a browser brought it.
struct BroughtPass: Sendable {
  let text: String
  let name: BrowserPass.Name
}

extension Request {
  /// A choice of no weight, also from before names were guarded.
  func choice(_ cookie: PageCookie) -> String? {
    cookies[cookie.name(over: self)] ?? cookies[cookie.rawValue]
  }

  /// Under the guarded name first. Those that were given out before there was one are still looked at
  /// under the plain name; whether they count is the registry's to say.
  var pass: BroughtPass? {
    let guarded = PageCookie.pass.name(over: self)
    if guarded != PageCookie.pass.rawValue, let text = cookies[guarded], !text.isEmpty {
      return BroughtPass(text: text, name: .guarded)
    }
    return cookies[PageCookie.pass.rawValue].flatMap {
      $0.isEmpty ? nil : BroughtPass(text: $0, name: .plain)
    }
  }

  var device: DeviceCookie { DeviceCookie(cookies[PageCookie.device.name(over: self)]) }

  /// How a pass is named that is given out over this line.
  var passName: BrowserPass.Name { scheme == "https" ? .guarded : .plain }

  /// What ties the form at the door to the browser that it was made for.
  var doorMark: String? {
    cookies[PageCookie.door.name(over: self)].flatMap { $0.utf8.count >= 16 ? $0 : nil }
  }
}

extension Lobby {
  func give(
    _ response: inout Response, _ request: Request, _ cookie: PageCookie, _ value: String,
    _ lifetime: SetCookie.Lifetime
  ) {
    let base = request.basePath.description
    let isSecure = request.scheme == "https"
    func add(_ name: String, _ value: String, _ lifetime: SetCookie.Lifetime) {
      let cookie = SetCookie(
        name, value, path: base.isEmpty ? "/" : base, lifetime: lifetime, secure: isSecure)
      if let cookie { response.headers.add("Set-Cookie", cookie.description) }
    }
    let name = cookie.name(over: request)
    add(name, value, lifetime)
    // One of before there were guarded names goes with its successor.
    if name != cookie.rawValue, request.cookies[cookie.rawValue] != nil {
      add(cookie.rawValue, "", .seconds(0))
    }
  }
}
