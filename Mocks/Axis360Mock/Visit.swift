import Crypto
import HTTP
import HTTPServer
import JSON
import MockKit

/// One request being served: for which library, and when.
struct Visit {
  let request: MockRequest
  let route: Route
  private(set) var library = ""
  private(set) var now = Moment.usualStart

  init(_ request: MockRequest, _ route: Route) { (self.request, self.route) = (request, route) }

  func answer(_ state: inout WorldState) -> Response {
    var visit = self
    visit.now = state.now
    do throws(Verdict) {
      switch route {
      case .token: return try visit.accessToken(&state)
      case .download: return visit.download(&state)
      case .acsm: return visit.acsm(state)
      case .licence(let path): return visit.licence(path, state)
      case .content(let isbn): return visit.content(isbn)
      case .unknown: return Axis360Dialect.notFound
      default: break
      }
      visit.library = try visit.admitted(state)
      return visit.switched(try visit.vendor(&state), state)
    } catch {
      return visit.switched(error.response(in: route.shape), state)
    }
  }

  private func vendor(_ state: inout WorldState) throws(Verdict) -> Response {
    switch route {
    case .inventory: try inventory(state)
    case .availability, .availabilityByForm: try availability(&state)
    case .checkout: try checkout(&state)
    case .checkIn: try checkIn(&state)
    case .checkInByTransaction: try checkInByTransaction(&state)
    case .addToHold(let path): try addToHold(path, &state)
    case .removeHold(let path): try removeHold(path, &state)
    case .suspendHold(let path): try suspendHold(path, &state)
    case .activateHold(let path): try activateHold(path, &state)
    case .getHolds(let card): try getHolds(card, state)
    case .fulfilmentInfo: try fulfilmentInfo(state)
    case .audiobookMetadata: try audiobookMetadata(state)
    default: Axis360Dialect.notFound
    }
  }

  // MARK: Admission

  private func accessToken(_ state: inout WorldState) throws(Verdict) -> Response {
    guard let basic = request.basic, let bytes = try? Base64.decodeTolerantly(basic) else {
      throw Verdict("1000", "Authorization header is missing.")
    }
    guard bytes.count.isMultiple(of: 2), !bytes.starts(with: [0xFF, 0xFE]),
      let text = Self.text(bytes)
    else { throw Verdict("2004", "Authorization string is not properly encoded.") }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else {
      throw Verdict("2004", "Authorization string is not properly encoded.")
    }
    guard let library = state.library(parts[2], of: Axis360Dialect.name) else {
      throw Verdict("2007", "Library is unknown.")
    }
    guard library.settings["username"]?.string == parts[0],
      library.settings["password"]?.string == parts[1]
    else { throw Verdict("2005", "Invalid vendor credentials.") }
    let seconds = library.settings["token_seconds"]?.integer ?? 600
    let token = state.tokens.issue(
      "axis", library: library.id, length: 180, expires: now + Int64(seconds) * 1000)
    return .axis([
      ("access_token", .string(token.text)), ("expires_in", .integer(seconds)),
      ("token_type", "Bearer"),
    ])
  }

  /// Sixteen bits a letter; what was written in eight shows itself by letters that nobody uses.
  private static func text(_ bytes: [UInt8]) -> String? {
    let units = stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    let text = String(decoding: units, as: UTF16.self)
    return units.contains(UInt16(UInt8(ascii: ":"))) ? text : nil
  }

  /// The word before the token may be left out.
  private func admitted(_ state: WorldState) throws(Verdict) -> String {
    guard let field = request.headers["Authorization"] else {
      throw Verdict("1000", "Authorization header is missing.")
    }
    let text = request.bearer ?? field.filter { !$0.isWhitespace }
    guard let token = state.tokens[text], token.kind == "axis" else {
      throw Verdict("1001", "Authorization token is invalid")
    }
    guard token.expires > now else { throw Verdict("1002", "Authorization token is expired") }
    guard let library = request.headers["Library"], !library.isEmpty else {
      throw Verdict("2008", "Library is missing.")
    }
    guard state.library(library, of: Axis360Dialect.name) != nil else {
      throw Verdict("2007", "Library is unknown.")
    }
    guard library == token.library else {
      throw Verdict("2006", "Library does not belong to this vendor.")
    }
    return library
  }

  // MARK: What every route needs

  func home(_ state: WorldState) throws(Verdict) -> MockLibrary {
    guard let library = state.library(library, of: Axis360Dialect.name) else {
      throw Verdict("2007", "Library is unknown.")
    }
    return library
  }

  /// From the query or from a form; names in any case.
  func field(_ name: String) -> String? {
    let fields = request.query.fields + request.form.fields
    return fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  func required(_ name: String, _ code: String) throws(Verdict) -> String {
    guard let text = field(name), !text.isEmpty else { throw Verdict(code, "\(name) is missing.") }
    return text
  }

  /// Does something at the lending desk of this visit's library.
  func lend<Result: Sendable>(
    _ state: inout WorldState,
    _ verb: (inout LendingLibrary, Moment) throws(LendingRefusal) -> Result
  ) throws(Verdict) -> Result {
    let outcome = state.change(library, of: Axis360Dialect.name) {
      library, now -> Swift.Result<Result, LendingRefusal> in
      do throws(LendingRefusal) {
        return .success(try verb(&library.lending, now))
      } catch { return .failure(error) }
    }
    switch outcome {
    case .success(let result)?: return result
    case .failure(let refusal)?: throw Verdict(refusal)
    case nil: throw Verdict("2007", "Library is unknown.")
    }
  }

  func done(_ message: String, _ more: String = "", type: String? = nil) -> Response {
    guard case .xml(let root, let result?) = route.shape else { return Axis360Dialect.notFound }
    let inner = Verdict("0000", message).xml + more
    return .axis(XML.document(root, XML.wrap(result, inner, type: type)))
  }

  // MARK: Switches

  private func switched(_ response: Response, _ state: WorldState) -> Response {
    guard let settings = state.library(library, of: Axis360Dialect.name)?.settings else {
      return response
    }
    var response = response
    if settings["status_mismatch"]?.bool == true, response.status != .unauthorized {
      response.status = response.status == .ok ? .conflict : .ok
    }
    let shape = settings["code_shape"]?.string ?? "digits"
    guard shape != "digits" else { return response }
    let text = String(decoding: response.wholeBody, as: UTF8.self)
    let code = shape == "missing" ? "" : "<code>OK</code>"
    let spoilt = text.replacing(/<code>\d+<\/code>/, with: code)
      .replacing(/"Code":"\d+"/, with: shape == "missing" ? "\"Other\":1" : "\"Code\":\"OK\"")
    response.body = .bytes(Array(spoilt.utf8))
    return response
  }
}
