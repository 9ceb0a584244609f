import JSON
import MockKit

/// One library's side of the line for one question.
struct LineVisit {
  let habit: Habit
  let question: LineQuestion
  var library: MockLibrary
  let now: Moment

  var paper: PaperLibrary { PaperLibrary(library, at: now) }

  /// Nil where nothing is answered and the line is closed.
  mutating func answer() -> LineReply? {
    switch question.code {
    case "99": return status()
    case "63": return patron(isWhole: true)
    case "23": return patron(isWhole: false)
    case "17": return item()
    case "15": return hold()
    case "29": return renew()
    case "35": return habit.endsSessions ? end() : nil
    default: return nil
    }
  }

  func text(_ code: String) -> String { question.text(code, in: habit.charset) ?? "" }

  var date: String { Self.date(now, habit.zone) }

  static func date(_ moment: Moment, _ zone: String) -> String {
    let digits = moment.text.filter(\.isNumber)
    return digits.prefix(8) + zone + digits.dropFirst(8).prefix(6)
  }

  var institution: String { library.settings["institution"]?.string ?? "MAIN" }

  func four(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 4 - String(number).utf8.count)) + String(number)
  }

  private func status() -> LineReply {
    var reply = LineReply("98YYYYYN600003\(date)2.00", in: habit)
    reply.add("AO", institution)
    reply.add("AM", library.name)
    reply.add("BX", "YNNNYYYYYNYNNYYN")
    return reply
  }

  private func end() -> LineReply {
    var reply = LineReply("36Y\(date)", in: habit)
    reply.add("AO", institution)
    reply.add("AA", text("AA"))
    return reply
  }

  // MARK: - Copies

  private func item() -> LineReply {
    let barcode = text("AB")
    guard let copy = paper.copy(withBarcode: barcode) else {
      var reply = LineReply("18010101\(date)", in: habit)
      reply.add("AB", barcode)
      reply.add("AJ", "")
      return reply
    }
    let code: String
    var due: Moment?
    var until: Moment?
    switch copy.state {
    case .free: code = "03"
    case .out(let loan): (code, due) = ("04", loan.until)
    case .aside(let hold): (code, until) = ("08", hold.readyUntil)
    case .inTransit: code = "10"
    case .odd(let state): code = Self.code(of: state)
    }
    var reply = LineReply("18\(code)0001\(date)", in: habit)
    reply.add("CF", four(library.lending.queue(for: copy.title.id).count))
    reply.add("AB", barcode)
    reply.add("AJ", copy.title.name)
    if let due { reply.add("AH", Self.date(due, habit.zone)) }
    if let until { reply.add("CM", Self.date(until, habit.zone)) }
    reply.add("AQ", copy.home.code)
    reply.add("AP", copy.place.code)
    reply.add("CS", copy.callNumber)
    reply.add("CK", "001")
    return reply
  }

  private static func code(of state: OddCopy.State) -> String {
    switch state {
    case .reference, .damaged: "01"
    case .onOrder: "02"
    case .inTransit: "10"
    case .lost: "12"
    case .withdrawn: "13"
    }
  }
}
