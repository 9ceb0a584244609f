package import Adobe
package import Circulation
import HTTP
package import HTTPServer
package import Secrets

/// What Adobe's own service asks the vendor: who signs in, and what an account is called. It reads
/// answers with status 200 and no others.
package struct VendorRoutes: Sendable {
  package typealias Door =
    @Sendable (Request, _ name: Secret, _ word: Secret) async -> (PatronID, [LibraryID])?

  private let desk: VendorDesk
  private let door: Door

  package init(_ desk: VendorDesk, _ door: @escaping Door) { (self.desk, self.door) = (desk, door) }

  package func add<Note: Sendable>(to router: inout Router<Note>, open: Note) {
    let root = Path.root / "AdobeAuth"
    router.on(.post, at: root / "SignIn", note: open) { request in
      document(
        await desk.signIn(request.body) { name, word in await door(request, name, word) })
    }
    router.on(.post, at: root / "AccountInfo", note: open) { request in
      document(await desk.account(request.body))
    }
    router.immediate(.get, at: root / "Status", note: open) { _ in
      var response = Response.text("UP")
      response.headers.set("Cache-Control", "no-store")
      return response
    }
  }

  private func document(_ bytes: [UInt8]) -> Response {
    var response = Response.bytes(
      bytes, MediaType(parsing: VendorDesk.type) ?? MediaType("application", "xml"))
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}
