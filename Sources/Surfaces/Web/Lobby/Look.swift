import HTTP
import HTTPServer

/// The colors that a browser was told to show, whatever its device says. It is kept by the browser and
/// says nothing of anybody, so that it works for strangers.
enum Look: String, Sendable, Hashable, CaseIterable {
  case device, light, dark

  static let path = Path.root / "look"

  init(_ request: Request) {
    self = request.choice(.look).flatMap { Look(rawValue: $0) } ?? .device
  }
}

extension Lobby {
  func addLook<Note: Sendable>(to router: inout Router<Note>, _ open: Note) {
    router.on(.post, at: Look.path, note: open) { request in
      let form = request.form ?? FormFields()
      guard request.isFromHere, let look = form["look"].flatMap({ Look(rawValue: $0) }) else {
        return refusal(Self.unsealed, request)
      }
      var response = redirect(request.link(Onward(form[Onward.field]).path))
      give(
        &response, request, .look, look == .device ? "" : look.rawValue,
        .seconds(look == .device ? 0 : 365 * 86_400))
      return response
    }
  }
}
