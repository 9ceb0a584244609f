import Circulation
import FrontDesk
import HTTP
import HTTPServer
import JSON
import OPDS
import Registry

/// What lending apps ask of a reader besides the shelf: with what Adobe's programs sign in. It is worth
/// something for an hour, so nobody keeps it.
extension LendingRoutes {
  static var profileType: MediaType {
    MediaType("application", "vnd.librarysimplified.user-profile+json")
  }

  func addProfile<Note: Sendable>(to router: inout Router<Note>, _ notes: Facade.Notes<Note>) {
    router.on(.get, at: FeedPaths.profile, note: notes.reader) { request in
      await facade.answering(request, by: .json, for: .read) { errand throws(Problem) in
        guard let reader = errand.visitor.reader else {
          throw Problem(.unauthorized, code: "credentials_rejected")
        }
        let keys = await stock.licensors(reader.patron, errand.shelf?.libraries ?? [])
        let profile: JSONValue = [
          "settings": [:],
          "links": [
            [
              "rel": "self", "type": .string(Self.profileType.description),
              "href": .string(errand.head.address(FeedPaths.profile.print())),
            ]
          ],
          "drm": .array(keys.map(Self.json)),
        ]
        var response = Response.text(profile.text(), Self.profileType)
        facade.seal(&response)
        return response
      }
    }
    router.immediate(.options, at: FeedPaths.profile, note: notes.open) { _, _ in
      Sharing.preflight
    }
  }

  private static func json(_ licensor: LoanKeys.Licensor) -> JSONValue {
    var one: JSONObject = [
      "drm:vendor": .string(licensor.vendor), "drm:clientToken": .string(licensor.clientToken),
    ]
    if let scheme = licensor.scheme { one["drm:scheme"] = .string(scheme) }
    return .object(one)
  }
}
