import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served: by whom, of what, and when.
struct Visit {
  let request: MockRequest
  let route: Route
  let library: MockLibrary
  let now: Moment
  /// Of who has signed in; empty for strangers.
  private(set) var card = ""

  init(_ request: MockRequest, _ route: Route, _ library: MockLibrary, _ now: Moment) {
    (self.request, self.route, self.library, self.now) = (request, route, library, now)
  }

  func answer(_ state: inout WorldState) -> Response {
    var visit = self
    visit.card = cardOfCookie(state)
    do throws(Refusal) { return try visit.served(&state) } catch { return error.response }
  }

  private func served(_ state: inout WorldState) throws(Refusal) -> Response {
    switch route {
    case .login: try signIn(&state)
    case .log(let user, let slug): try log(of: user, slug)
    case .bookshelves(let work): try move(work, &state)
    case .rating(let work): try rate(work, &state)
    case .checkIns(let work): try checkIn(work, &state)
    case .checkIn(let number): try withdraw(number, &state)
    case .export: try export()
    case .lists(let user): try lists(of: user)
    case .list(let user, let id): try .library(list(id, try reader(user)))
    case .seeds(let user, let id): try seeds(id, of: user)
    case .changeSeeds(let user, let id): try changeSeeds(id, of: user, &state)
    case .work(let key): try work(key)
    case .edition(let key): try edition(key)
    case .isbn(let digits): try isbn(digits)
    case .books: books()
    case .search: search()
    case .availability: availability()
    case .unknown: throw .page(.notFound)
    }
  }

  func isOn(_ name: String) -> Bool { library.settings[name]?.bool == true }

  func edit(_ state: inout WorldState, _ act: (inout ReadingRoom) -> Void) {
    _ = state.change(library.id, of: OpenLibraryDialect.name) { library, _ in
      act(&library.reading)
    }
  }

  // MARK: - Who asks

  /// `session=/people/ada%2C2026-03-16T09:00:00%2CTOKEN%24x`
  private func cardOfCookie(_ state: WorldState) -> String {
    let cookies = (request.headers["Cookie"] ?? "").split(separator: ";")
    for cookie in cookies {
      let pair = cookie.drop { $0 == " " }
      guard pair.hasPrefix("session="),
        let plain = PercentCoding.decode(String(pair.dropFirst(8)))
      else { continue }
      let parts = plain.split(separator: ",")
      guard parts.count == 3 else { continue }
      let text = String(parts[2].prefix { $0 != "$" })
      if let token = state.tokens.valid(text, as: "openlibrary", at: now) {
        return token.card ?? ""
      }
    }
    return ""
  }

  private func signIn(_ state: inout WorldState) throws(Refusal) -> Response {
    let keys = request.json
    let isKeys = keys?.object != nil
    let given = isKeys ? keys?["secret"]?.string : request.form["password"]
    let patron = library.lending.patrons.values.first { patron in
      isKeys ? patron.card == keys?["access"]?.string : patron.email == request.form["username"]
    }
    guard let patron, !patron.pin.isEmpty, patron.pin == given else {
      if isKeys { throw Refusal("invalid_s3keys", .unauthorized) }
      var page = Response.text(
        "<!DOCTYPE html>\n<html><body><div class=\"note error\">Wrong password</div>"
          + "<form><input name=\"password\" type=\"password\"></form></body></html>", .html)
      page.status = Status(library.settings["form_status"]?.integer ?? 200)
      return page
    }
    let token = state.tokens.issue(
      "openlibrary", library: library.id, card: patron.card, length: 32,
      expires: now + 30 * LendingRules.day)
    let plain = "/people/\(Furnishing.user(patron.name)),\(now.text.dropLast()),\(token.text)$x"
    let begun = plain.replacing(",", with: "%2C").replacing("$", with: "%24")
    let value = begun.replacing("/", with: "%2F")
    var response =
      isKeys ? Response.library(["success": true]) : .redirect(to: "/openlibrary/", .seeOther)
    response.headers.add("Set-Cookie", "pd=; Path=/; Max-Age=0")
    response.headers.add(
      "Set-Cookie", "session=\(isOn("encoded_cookie") ? value : begun); Path=/; HttpOnly")
    return response
  }

  /// Whoever changes something has signed in.
  func admitted() throws(Refusal) -> String {
    guard !card.isEmpty else { throw .door(request.pathText) }
    return card
  }

  func reader(_ user: String) throws(Refusal) -> ReadingRoom.Reader {
    guard
      let found = library.reading.readers.values.first(where: {
        Furnishing.user($0.name) == user
      })
    else { throw .nothing(at: "/people/\(user)") }
    return found
  }

  func list(_ id: String, of reader: ReadingRoom.Reader) throws(Refusal) -> ReadingRoom.List {
    guard let list = reader.lists.first(where: { $0.id == id && !$0.isExclusive }) else {
      throw .nothing(at: "/lists/\(id)")
    }
    return list
  }

  func slug(_ number: Int) -> String? {
    Furnishing.shelves.indices.contains(number - 1) ? Furnishing.shelves[number - 1] : nil
  }
}
