import FoundationEssentials
package import HTTP
import JSON

/// How an errand of a slip ended, as it is kept for the same slip to show again.
package enum SlipOutcome: Sendable, Hashable {
  case done(Deed)
  case refused(Problem)

  /// Whether it was brought about, and not found so.
  package var isOwn: Bool {
    switch self {
    case .done(let deed): deed.kind != .had && deed.kind != .waitingBefore
    case .refused: false
    }
  }

  package var text: String {
    var object = JSONObject()
    switch self {
    case .done(let deed):
      object["did"] = .string(deed.kind.rawValue)
      object["until"] = deed.until.map { .integer(Int($0.timeIntervalSince1970)) }
      object["place"] = deed.place.map { .integer($0) }
    case .refused(let problem):
      object["status"] = .integer(problem.status.code)
      object["code"] = problem.code.map { .string($0) }
      object["detail"] = problem.detail.map { .string($0) }
      object["try"] = problem.remedy.map { .string($0) }
      object["type"] = .string(problem.type)
    }
    return JSONValue.object(object).text()
  }

  /// Nil for what a newer release kept.
  package init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text) else { return nil }
    if let kind = json["did"]?.string.flatMap(Deed.Kind.init) {
      let until = json["until"]?.integer.map { Date(timeIntervalSince1970: Double($0)) }
      self = .done(Deed(kind, until: until, place: json["place"]?.integer))
      return
    }
    guard let code = json["status"]?.integer else { return nil }
    self = .refused(
      Problem(
        Status(code), code: json["code"]?.string, detail: json["detail"]?.string,
        remedy: json["try"]?.string, type: json["type"]?.string ?? "about:blank"))
  }
}
