import Circulation
import FrontDesk
import HTTP
import HTTPServer
import OPDS

/// How to sign in (§5): at its own address, and as the body of every 401.
enum AuthenticationRoute {
  static func add<Note: Sendable>(
    to router: inout Router<Note>, _ facade: Facade, _ note: Note
  ) {
    router.immediate(.get, at: FeedPaths.authentication, note: note) { request in
      var response = Response.bytes(
        facade.authentication(request).document, Self.type(for: request))
      response.headers.set("Cache-Control", request.caching(seconds: 600))
      response.headers.add("Vary", "Accept, User-Agent")
      Sharing.add(to: &response.headers)
      return response
    }
    router.immediate(.options, at: FeedPaths.authentication, note: note) { _ in
      Sharing.preflight
    }
  }

  /// By Accept if it names one of them, else by who asks: some apps know the older name only.
  static func type(for request: Request) -> MediaType {
    let field = request.headers.joined("Accept") ?? ""
    if field.contains(FeedVersion.formerAuthentication.essence) {
      return FeedVersion.formerAuthentication
    }
    if field.contains(FeedVersion.authentication.essence) { return FeedVersion.authentication }
    let agent = request["User-Agent"] ?? ""
    return agent.contains("Palace") || agent.contains("SimplyE")
      ? FeedVersion.formerAuthentication : FeedVersion.authentication
  }
}

extension Facade {
  func authentication(
    _ request: Request, needsLibrary: Bool = false
  ) -> AuthenticationDocument {
    let head = Letterhead(site: request.site, version: .atom, signer: signer)
    var basic = AuthenticationDocument.Flow(.basic)
    (basic.loginLabel, basic.passwordLabel) = ("Card or name", "PIN or device password")
    let libraries = stock.signInLibraries
    if libraries.count > 1 { basic.loginLabel = "Card number, LIBRARY/number or name" }
    var document = AuthenticationDocument(
      id: head.address(FeedPaths.authentication.print()), title: settings.title, flows: [basic])
    document.description = "Sign in with a library card and its PIN, or with a device password."
    if needsLibrary {
      let names = libraries.map { "\($0.rawValue) (\(stock.nameOfLibrary($0)))" }
      document.description =
        "This card fits more than one library. Sign in as LIBRARY/number, where LIBRARY is one of "
        + names.joined(separator: ", ") + "."
    }
    document.links = [
      head.feed(FeedPaths.either.start.print(), .navigation, [.start], settings.title),
      head.feed(FeedPaths.either.shelf.print(), .acquisition, [.shelf], "Your shelf"),
      Link(
        head.address(FeedPaths.profile.print()), [.userProfile], type: LendingRoutes.profileType,
        title: "What apps ask of you"),
    ]
    return document
  }

  /// 401 with the document: what makes apps ask for a password. Pages of the web ask themselves.
  func signIn(
    _ request: Request, _ head: Letterhead, needsLibrary: Bool = false
  ) -> Response {
    var response = Response.bytes(
      authentication(request, needsLibrary: needsLibrary).document,
      AuthenticationRoute.type(for: request), status: .unauthorized)
    if request["X-Requested-With"] != "XMLHttpRequest" {
      response.headers.set(
        "WWW-Authenticate", "Basic realm=\(Self.realm(settings.title)), charset=\"UTF-8\"")
    }
    let address = head.address(FeedPaths.authentication.print())
    response.headers.set(
      "Link",
      "<\(address)>; rel=\"http://opds-spec.org/auth/document\"; "
        + "type=\"\(FeedVersion.authentication.essence)\"")
    response.headers.set("Cache-Control", "no-store")
    response.headers.set("Vary", "Accept, Authorization, User-Agent")
    Sharing.add(to: &response.headers)
    return response
  }

  /// A field of a head is ASCII.
  private static func realm(_ title: String) -> String {
    "\"" + title.filter { $0.isASCII && $0 != "\"" && $0 != "\\" && !$0.isNewline } + "\""
  }
}
