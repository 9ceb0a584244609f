import JSON
import MockKit

extension LineVisit {
  /// Who stands there, if card and PIN are right.
  enum Visitor {
    case nobody
    case wrongPIN(Patron)
    /// No PIN was sent where one would be judged.
    case unproved(Patron)
    case reader(Patron)
  }

  var visitor: Visitor {
    guard let patron = library.lending.patrons[text("AA")] else { return .nobody }
    guard library.lending.rules.needsPIN else { return .reader(patron) }
    let given = text("AD")
    if given.isEmpty { return .unproved(patron) }
    return given == patron.pin ? .reader(patron) : .wrongPIN(patron)
  }

  /// The reader of a command; a wrong PIN may do nothing.
  var reader: Patron? { if case .reader(let patron) = visitor { patron } else { nil } }

  func patron(isWhole: Bool) -> LineReply {
    let code = isWhole ? "64" : "24"
    switch visitor {
    case .nobody: return unknown(code, isWhole)
    case .wrongPIN(let patron):
      // All is told all the same, as these systems do.
      return record(patron, code, isWhole, password: false)
    case .unproved(let patron):
      return record(patron, code, isWhole, password: habit.judgesNoPassword ? false : nil)
    case .reader(let patron):
      return record(
        patron, code, isWhole,
        password: library.lending.rules.needsPIN || habit.judgesNoPassword ? true : nil)
    }
  }

  private func unknown(_ code: String, _ isWhole: Bool) -> LineReply {
    let counts = String(repeating: habit.blanksForUnknown ? "    " : "0000", count: isWhole ? 6 : 0)
    let language = habit.blanksForUnknown ? "   " : "000"
    var reply = LineReply("\(code)YYYY          \(language)\(date)\(counts)", in: habit)
    if habit.wordsFirst { reply.add("AF", "# Unknown card") }
    reply.add("AE", habit.unknownName)
    reply.add("AA", text("AA"))
    reply.add("BL", "N")
    if habit.judgesUnknown { reply.add("CQ", "N") }
    reply.add("AO", institution + " ")
    if !habit.wordsFirst { reply.add("AF", "#Patron does not exist.") }
    return reply
  }

  private func flags(_ patron: Patron, isWrong: Bool) -> String {
    if isWrong, !habit.flagsForWrongPIN.isEmpty { return habit.flagsForWrongPIN }
    var marks = [Character](repeating: " ", count: 14)
    switch patron.block {
    case .fines: (marks[0], marks[10]) = ("Y", "Y")
    case .lost: (marks[0], marks[4]) = ("Y", "Y")
    case .barred: marks[0] = "Y"
    case nil: break
    }
    // Set for everybody, and of no meaning.
    if habit.wordsFirst { marks[2] = "Y" }
    if isExpired(patron) { (marks[0], marks[1], marks[2], marks[3]) = ("Y", "Y", "Y", "Y") }
    return String(marks)
  }

  private func isExpired(_ patron: Patron) -> Bool { patron.expires.map { $0 <= now } ?? false }

  private func record(
    _ patron: Patron, _ code: String, _ isWhole: Bool, password: Bool?
  ) -> LineReply {
    let lists = Lists(patron.card, self)
    var head = code + flags(patron, isWrong: password == false) + "000" + date
    if isWhole { head += lists.counts.map(four).joined() }
    var reply = LineReply(head, in: habit)
    if habit.wordsFirst, password == false { reply.add("AF", "Sign-in failed.") }
    reply.add("AO", institution + " ")
    reply.add("AA", patron.card)
    reply.add("AE", patron.name)
    if isWhole, habit.tellsLimits {
      reply.add("BZ", four(patron.holdLimit ?? library.lending.rules.holdLimit))
      reply.add("CA", "0050")
      reply.add("CB", four(patron.loanLimit ?? library.lending.rules.loanLimit))
    }
    reply.add("BL", "Y")
    reply.add(flag: "CQ", password)
    reply.add("BH", "USD")
    let cents = patron.owed % 100
    reply.add("BV", "\(patron.owed / 100).\(cents < 10 ? "0" : "")\(cents)")
    if habit.tellsLimits { reply.add("CC", "10.00") }
    if isWhole {
      for (code, text) in lists.entries(question.fixed(21..<31)) { reply.add(code, text) }
    }
    if let email = patron.email { reply.add("BE", email) }
    if habit.permanentID, let home = patron.home { reply.add("AQ", home) }
    if habit.permanentID, let kind = patron.kind { reply.add("PC", kind) }
    expiry(patron, &reply)
    if habit.permanentID { reply.add("XI", "id-\(patron.card)") }
    if password == false, !habit.wordsFirst { reply.add("AF", "Invalid PIN entered.") }
    return reply
  }

  private func expiry(_ patron: Patron, _ reply: inout LineReply) {
    guard let end = patron.expires else { return }
    switch habit.expiry {
    case .none: break
    case .day: reply.add("PA", String(Self.date(end, "").prefix(8)))
    case .moment:
      reply.add("PA", "1")
      reply.add("PX", Self.date(end, habit.zone))
      reply.add("PY", isExpired(patron) ? "Y" : "N")
    }
  }
}

extension LineVisit {
  func barcode(of loan: Loan) -> String { paper.copy(of: loan)?.barcode ?? "" }

  /// The copy that was put aside, else the first of its title.
  func barcode(of hold: Hold) -> String {
    let copies = paper.copies(of: hold.title)
    let own = copies.first { [.aside(hold), .inTransit(hold)].contains($0.state) }
    return (own ?? copies.first)?.barcode ?? ""
  }
}

/// What a reader has and waits for, as lists.
private struct Lists {
  private let ready: [String]
  private let waiting: [String]
  private let out: [String]
  private let late: [String]
  private let count: Habit.Count

  init(_ card: String, _ desk: LineVisit) {
    let habit = desk.habit
    func entry(_ barcode: String, _ title: String) -> String {
      let name = desk.library.lending.titles[title]?.name ?? ""
      return switch habit.entries {
      case .barcode: barcode
      case .both: "\(barcode) \(name)"
      case .title: name
      }
    }
    let holds = desk.library.lending.holds(by: card)
    ready = holds.filter(\.isReady).map { entry(desk.barcode(of: $0), $0.title) }
    waiting = holds.filter { !$0.isReady }.map { entry(desk.barcode(of: $0), $0.title) }
    let loans = desk.library.lending.loans(by: card)
    out = loans.map { entry(desk.barcode(of: $0), $0.title) }
    late = loans.filter { $0.until < desk.now }.map { entry(desk.barcode(of: $0), $0.title) }
    count = habit.count
  }

  private var held: [String] { count == .ready ? ready : ready + waiting }

  /// Holds, overdue, charged, fines, recalls, holds that are not there.
  var counts: [Int] { [held.count, late.count, out.count, 0, 0, waiting.count] }

  /// Of the first kind that was asked for.
  func entries(_ summary: String) -> [(String, String)] {
    switch summary.utf8.firstIndex(of: UInt8(ascii: "Y"))
      .map({ summary.utf8.distance(from: summary.utf8.startIndex, to: $0) })
    {
    case 0: held.map { ("AS", $0) }
    case 1: late.map { ("AT", $0) }
    case 2: out.map { ("AU", $0) }
    case 5: waiting.map { ("CD", $0) }
    default: []
    }
  }
}
