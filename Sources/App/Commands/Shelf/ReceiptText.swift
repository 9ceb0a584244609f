import Items
import TextSafety

/// What became of a command, in one sentence, with the undo where there is one.
enum ReceiptText {
  static func sentence(_ receipt: ReceiptItem) -> TerminalText {
    let title = "'\(receipt.title)'"
    let id = "\(receipt.account):\(receipt.item)"
    return switch receipt.result {
    case .borrowed:
      "Borrowed \(title) from \(receipt.account)\(until(receipt.loan?.until)).\n"
        + opener(receipt, id)
        + (receipt.loan?.isReturnable == false
          ? "" : "Undo with: \(command: "carrel return \(id)")\n")
    case .alreadyBorrowed:
      "\(title) is on loan already from \(receipt.account)\(until(receipt.loan?.until)).\n"
    case .wouldBorrow:
      "Would borrow \(title) from \(receipt.account): a copy is in.\n" + opener(receipt, id)
    case .allOut: allOut(receipt, title, id)
    case .returned: "Returned \(title) to \(receipt.account).\n"
    case .alreadyReturned: "\(title) was not on loan any more at \(receipt.account).\n"
    case .renewed:
      receipt.loan.map { "Renewed \(title)\(until($0.until)).\n" }
        ?? "\(title) is renewed by a hold: it comes again when the loan ends.\n"
    case .waiting:
      "Waiting for \(title) at \(receipt.account)\(place(receipt.hold)).\n"
        + "Undo with: \(command: "carrel hold cancel \(id)")\n"
    case .alreadyWaiting:
      "\(title) is on hold already at \(receipt.account)\(place(receipt.hold)).\n"
    case .suspended:
      "The hold on \(title) rests. Undo with: \(command: "carrel hold resume \(id)")\n"
    case .resumed: "The hold on \(title) waits again\(place(receipt.hold)).\n"
    case .cancelled: "The hold on \(title) is cancelled.\n"
    case .alreadyCancelled: "\(title) was not on hold any more at \(receipt.account).\n"
    case .declined: "Declined \(title): the copy goes to the next reader.\n"
    case .inDoubt: ""
    }
  }

  /// Where it can be opened: said before it is borrowed, and after.
  private static func opener(_ receipt: ReceiptItem, _ id: String) -> TerminalText {
    if receipt.opensIn.contains("Carrel") {
      return receipt.result == .borrowed
        ? "Read it with: \(command: "carrel read \(id)")\n" : "Carrel opens it.\n"
    }
    guard !receipt.opensIn.isEmpty else { return "" }
    return "It opens in \(receipt.opensIn.joined(separator: ", or in ")).\n"
  }

  private static func allOut(_ receipt: ReceiptItem, _ title: String, _ id: String) -> TerminalText
  {
    var text: TerminalText = "All copies of \(title) at \(receipt.account) are out"
    if let offer = receipt.offer {
      let copies = OfferText.copies(offer.availability)
      if !copies.isEmpty { text += " (\(copies))" }
      if let estimate = offer.estimate { text += "; the wait may be \(OfferText.wait(estimate))" }
    }
    text += ".\n"
    return receipt.canWait
      ? text + "Join the queue with: \(command: "carrel hold add \(id)")\n" : text
  }

  private static func until(_ time: String?) -> TerminalText {
    Moments.ahead(time).map { " until \($0)" } ?? ""
  }

  private static func place(_ hold: HoldItem?) -> TerminalText {
    guard let hold else { return "" }
    if hold.status == "ready" {
      return hold.pickup.map { ": it waits for you at \($0)" } ?? ": it can be borrowed now"
    }
    let branch: TerminalText = hold.pickup.map { ", to be picked up at \($0)" } ?? ""
    guard let position = hold.position else { return branch }
    let length = hold.total.map { " of \($0)" } ?? ""
    let wait = hold.estimate.map { ", \(OfferText.roughWait($0))" } ?? ""
    return ", place \(position)\(length)\(wait)\(branch)"
  }
}
