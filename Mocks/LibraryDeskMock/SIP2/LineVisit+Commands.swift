import JSON
import MockKit

extension LineVisit {
  mutating func hold() -> LineReply {
    let mode = question.fixed(0..<1)
    guard let reader, habit.holdModes.contains(mode),
      let title = wantedTitle, mode != "+" || mayHaveMore(reader)
    else { return holdAnswer(nil, nil, "The hold was refused.") }
    do throws(LendingRefusal) {
      switch mode {
      case "+":
        let branch = branch(asked: text("BS"), of: reader)
        let hold = try library.lending.placeHold(
          on: title.id, by: reader.card, pickup: branch, at: now)
        return holdAnswer(hold, branch, nil)
      case "-":
        try library.lending.cancelHold(on: title.id, by: reader.card, at: now)
        return holdAnswer(nil, nil, nil, isDone: true)
      default:
        guard let hold = library.lending.hold(on: title.id, by: reader.card),
          Self.pickups.contains(text("BS"))
        else { return holdAnswer(nil, nil, "There is no such hold or branch.") }
        try library.lending.movePickup(of: title.id, by: reader.card, to: text("BS"))
        return holdAnswer(hold, text("BS"), nil)
      }
    } catch {
      return holdAnswer(nil, nil, Self.words(error))
    }
  }

  /// Of a branch that it does not know it says nothing, and takes the reader's own.
  private func branch(asked: String, of reader: Patron) -> String {
    Self.pickups.contains(asked) ? asked : reader.home ?? Self.pickups[0]
  }

  private static let pickups = PaperLibrary.branches.filter(\.isPickup).map(\.code)

  /// By the barcode of any of its copies, or by its number.
  private var wantedTitle: Title? {
    let barcode = text("AB")
    if !barcode.isEmpty { return paper.copy(withBarcode: barcode)?.title }
    return Int(text("AJ")).flatMap { paper.title(numbered: $0) }
  }

  private func mayHaveMore(_ reader: Patron) -> Bool {
    reader.block == nil && reader.expires.map { $0 > now } ?? true
  }

  private func holdAnswer(
    _ hold: Hold?, _ branch: String?, _ words: String?, isDone: Bool = false
  ) -> LineReply {
    let isAccepted = hold != nil || isDone
    let isAvailable = hold?.isReady == true
    var reply = LineReply("16\(isAccepted ? "1" : "0")\(isAvailable ? "Y" : "N")\(date)", in: habit)
    if let hold, let place = library.lending.position(of: hold) { reply.add("BR", "\(place)") }
    if let branch { reply.add("BS", branch) }
    reply.add("AO", institution)
    reply.add("AA", text("AA"))
    reply.add("AB", text("AB"))
    if let hold { reply.add("AJ", library.lending.titles[hold.title]?.name ?? "") }
    if let words { reply.add("AF", words) }
    return reply
  }

  mutating func renew() -> LineReply {
    let barcode = text("AB")
    guard let reader, let title = paper.copy(withBarcode: barcode)?.title else {
      return renewAnswer(nil, barcode, "Item or card is not known.")
    }
    do throws(LendingRefusal) {
      let loan = try library.lending.renew(title.id, by: reader.card, at: now)
      return renewAnswer(loan, barcode, nil)
    } catch {
      return renewAnswer(nil, barcode, Self.words(error))
    }
  }

  private func renewAnswer(_ loan: Loan?, _ barcode: String, _ words: String?) -> LineReply {
    let isDone = loan != nil
    var reply = LineReply("30\(isDone ? "1Y" : "0N")NN\(date)", in: habit)
    reply.add("AO", institution)
    reply.add("AA", text("AA"))
    reply.add("AB", barcode)
    reply.add("AJ", loan.flatMap { library.lending.titles[$0.title]?.name } ?? "")
    reply.add("AH", loan.map { Self.date($0.until, habit.zone) } ?? "")
    if let words { reply.add("AF", words) }
    return reply
  }

  private static func words(_ refusal: LendingRefusal) -> String {
    switch refusal {
    case .alreadyOnHold: "You have this on hold already."
    case .notOnHold: "There is no such hold."
    case .holdLimit: "You have too many holds."
    case .alreadyBorrowed: "You have this out already."
    case .notBorrowed: "This is not out on your card."
    case .tooEarlyToRenew: "It is too early to renew this."
    case .othersWait: "Others wait for this."
    case .renewalLimit: "This was renewed too often."
    default: "This cannot be done."
    }
  }
}
