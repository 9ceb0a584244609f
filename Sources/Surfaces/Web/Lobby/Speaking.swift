import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Phrasebook
import Profiles
import Synchronization

/// The tongue of pages: what a browser was told, else the best of what it asks for. Like the colors it
/// is kept by the browser and says nothing of anybody, so that it works for strangers.
extension Tongue {
  static let path = Path.root / "tongue"

  /// Nil for whatever the browser asks for.
  static func chosen(_ request: Request) -> Tongue? {
    request.choice(.tongue).flatMap { Tongue(rawValue: $0) }
  }

  init(_ request: Request) {
    self =
      Self.chosen(request)
      ?? Tongue(bestOf: AcceptedLanguages(request["Accept-Language"]).tags)
  }
}

extension Router {
  /// The one place where the tongue of an answer is settled: around each of the pages.
  mutating func speaking(_ add: (inout Router) -> Void) {
    within(
      Surrounding(
        now: { request, make in Tongue.$current.withValue(Tongue(request)) { make() } },
        later: { request, make in
          await Tongue.$current.withValue(Tongue(request)) { await make() }
        }), add)
  }

  /// Within, what only programs read: it is English.
  mutating func speakingEnglish(_ add: (inout Router) -> Void) {
    within(
      Surrounding(
        now: { _, make in Tongue.$current.withValue(.english) { make() } },
        later: { _, make in await Tongue.$current.withValue(.english) { await make() } }), add)
  }
}

/// What each reader was last spoken to in, so that it need not be looked up for every page.
final class TongueMemory: Sendable {
  private let heard = Mutex<[PatronID: (tongue: Tongue, until: Int64)]>([:])
  /// In milliseconds: then another gateway may have been spoken to.
  private static let lasting: Int64 = 600_000
  private static let most = 20_000

  /// Whether it is news.
  func note(_ tongue: Tongue, of patron: PatronID, at now: Int64) -> Bool {
    heard.withLock { heard in
      if let known = heard[patron], known.tongue == tongue, known.until > now { return false }
      if heard.count >= Self.most { heard = [:] }
      heard[patron] = (tongue, now + Self.lasting)
      return true
    }
  }
}

extension Lobby {
  /// What is sent to a reader later is in the tongue of the last page.
  func hear(_ caller: Caller) async {
    let tongue = Tongue(caller.request)
    guard let patron = caller.reader?.patron, let profiles = own?.profiles,
      tongues.note(tongue, of: patron, at: caller.now)
    else { return }
    // A page is no less good when this cannot be written.
    try? await profiles.keep(tongue: tongue, of: patron)
  }

  func addTongue<Note: Sendable>(to router: inout Router<Note>, _ open: Note) {
    router.on(.post, at: Tongue.path, note: open) { request in
      let form = request.form ?? FormFields()
      let word = form["tongue"]
      let tongue = word.flatMap { Tongue(rawValue: $0) }
      guard request.isFromHere, tongue != nil || word == Phrases.asTheDevice else {
        return refusal(Self.unsealed, request)
      }
      var response = redirect(request.link(Onward(form[Onward.field]).path))
      give(
        &response, request, .tongue, tongue?.rawValue ?? "",
        .seconds(tongue == nil ? 0 : 365 * 86_400))
      return response
    }
  }
}
