import Circulation
import FoundationEssentials
import HTTP
import JSON
import Slips

/// What became of a reader's wish.
struct Deed: Sendable, Hashable {
  enum Kind: String, Sendable, Hashable {
    case lent, had, waiting, renewed, returned, cancelled
    case waitingBefore = "waiting_before"
  }

  let kind: Kind
  /// The end of the loan, or of the time to take it.
  var until: Date?
  /// In the queue.
  var place: Int?

  init(_ kind: Kind, until: Date? = nil, place: Int? = nil) {
    (self.kind, self.until, self.place) = (kind, until, place)
  }

  init(_ kind: Kind, _ hold: Hold) {
    switch hold.status {
    case .ready(let until), .suspended(let until): self.init(kind, until: until)
    case .waiting(let place, _): self.init(kind, place: place)
    case .expired: self.init(kind)
    }
  }

  /// Whether something is there now that was not.
  var isNew: Bool { kind == .lent || kind == .waiting }

  func words(_ library: String) -> String {
    let end = until.map { " until \(Words.day($0))" } ?? ""
    return switch kind {
    case .lent: "Borrowed from \(library)\(end)"
    case .had: "On loan from \(library) already\(end)"
    case .waiting: "On hold at \(library)" + (place.map { ", place \($0)" } ?? "")
    case .waitingBefore: "On hold at \(library) already" + (place.map { ", place \($0)" } ?? "")
    case .renewed: "Renewed at \(library)\(end)"
    case .returned: "Given back to \(library)"
    case .cancelled: "The hold at \(library) is canceled"
    }
  }
}

/// How an errand of a slip ended, as it is kept for the same slip to show again.
enum SlipOutcome: Sendable, Hashable {
  case done(Deed)
  case refused(Problem)

  /// Whether it was brought about, and not found so.
  var isOwn: Bool {
    switch self {
    case .done(let deed): deed.kind != .had && deed.kind != .waitingBefore
    case .refused: false
    }
  }

  var text: String {
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
  init?(_ text: String) {
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
