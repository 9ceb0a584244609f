import Circulation
import ProviderKit
import SIP2

// Holds and renewals. A command goes out once; when its answer is lost, the reader's lists tell what
// became of it, and where they do not, nobody is told that it failed.

extension SIP2Desk {
  func place(
    _ item: ItemID, for reader: DeskReader, at branch: BranchID?, in call: Call
  ) async throws(CirculationError) -> Hold {
    guard dialect.holdModes.contains(.add) else {
      throw Failures.failure(.unsupported(.holds), .placeHold)
    }
    let wanted = try await wanted(item, .placeHold, in: call)
    return try await machine.errand(for: holder(reader), .placeHold, in: call) {
      visit throws(SIP2Trouble) -> Told<Hold> in
      try await told { () async throws(Gone) in try await place(wanted, at: branch, visit) }
    }.value(.placeHold)
  }

  /// Some make a second hold without a word: the reader's lists are looked at before.
  private func place(
    _ wanted: Wanted, at branch: BranchID?, _ visit: Visit
  ) async throws(Gone) -> Hold {
    let holds = try await visit.holds(passwordRule)
    if let entry = holds.first(among: wanted.names) {
      let here = machine.known.pickup(of: entry.barcode, for: visit.reader.card)
      guard let branch, branch != here, dialect.holdModes.contains(.change) else {
        throw .refused(.alreadyOnHold, explanation: nil)
      }
      return try await move(entry, wanted, to: branch, visit)
    }
    let message = visit.reader.lend { card, pin in
      Message.placeHold(
        wanted.target, for: card, password: pin, at: branch?.rawValue, from: visit.sender)
    }
    let answer: HoldAnswer
    do throws(SIP2Trouble) { answer = HoldAnswer(try await visit.ask(message)) } catch {
      guard error.mayHaveArrived, try await isThere(wanted, visit) else { throw .trouble(error) }
      return waiting(wanted, at: branch, visit)
    }
    guard answer.isAccepted else {
      if let limit = holds.reachedLimit {
        throw .refused(.holdLimitReached(limit: limit), explanation: Self.words(answer.messages))
      }
      throw try await refusal(of: answer.messages, wanted, visit)
    }
    return try await checked(answer, wanted, branch, visit)
  }

  /// For a branch that they do not know some take the reader's own, without a word. A copy that waits
  /// where nobody looks for it helps nobody: such a hold is taken back.
  private func checked(
    _ answer: HoldAnswer, _ wanted: Wanted, _ branch: BranchID?, _ visit: Visit
  ) async throws(Gone) -> Hold {
    var hold = waiting(wanted, at: branch, visit)
    hold.status = .waiting(position: answer.queuePosition, total: nil)
    hold.title = answer.title
    guard let branch, let told = answer.pickupLocation, !isCalled(branch, told) else { return hold }
    if dialect.holdModes.contains(.cancel), try await cancel(wanted.target, visit).isAccepted {
      throw .refused(.branchRefused, explanation: nil)
    }
    hold.pickup = BranchID(told)
    return hold
  }

  private func waiting(_ wanted: Wanted, at branch: BranchID?, _ visit: Visit) -> Hold {
    var hold = Hold(item: wanted.item, status: .waiting(position: nil, total: nil))
    hold.pickup = branch
    if let branch { machine.known.learn(branch, of: wanted.names, for: visit.reader.card) }
    return hold
  }

  func cancel(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) {
    guard dialect.holdModes.contains(.cancel) else {
      throw Failures.failure(.unsupported(.holds), .cancelHold)
    }
    let wanted = try await wanted(item, .cancelHold, in: call)
    _ = try await machine.errand(for: holder(reader), .cancelHold, in: call) {
      visit throws(SIP2Trouble) -> Told<Bool> in
      try await told { () async throws(Gone) in
        guard let entry = try await visit.holds(passwordRule).first(among: wanted.names) else {
          throw .refused(.notOnHold, explanation: nil)
        }
        let answer: HoldAnswer
        do throws(Gone) { answer = try await cancel(target(entry, wanted), visit) } catch {
          guard case .trouble(let trouble) = error, trouble.mayHaveArrived,
            try await !isThere(wanted, visit)
          else { throw error }
          return true
        }
        guard answer.isAccepted else {
          throw try await refusal(of: answer.messages, wanted, visit)
        }
        return true
      }
    }.value(.cancelHold)
  }

  /// To another branch, keeping the place in the line; only where the server can, for cancelling and
  /// placing anew would lose that place. Said twice it is the same as said once.
  private func move(
    _ entry: Listed, _ wanted: Wanted, to branch: BranchID, _ visit: Visit
  ) async throws(Gone) -> Hold {
    let message = visit.reader.lend { card, pin in
      Message.moveHold(
        target(entry, wanted), for: card, password: pin, to: branch.rawValue, from: visit.sender)
    }
    let answer = HoldAnswer(try await visit.asked(message))
    guard answer.isAccepted, answer.pickupLocation.map({ isCalled(branch, $0) }) ?? true else {
      throw .refused(.branchRefused, explanation: Self.words(answer.messages))
    }
    var hold = waiting(wanted, at: branch, visit)
    hold.status = .waiting(position: answer.queuePosition, total: nil)
    hold.title = answer.title
    return hold
  }

  private func isCalled(_ branch: BranchID, _ text: String) -> Bool {
    [branch.rawValue, desk.branch(branch.rawValue).name]
      .contains { $0.lowercased() == text.lowercased() }
  }

  func renew(
    _ item: ItemID, of reader: DeskReader, in call: Call
  ) async throws(CirculationError) -> Loan {
    let wanted = try await wanted(item, .renew, in: call)
    return try await machine.errand(for: holder(reader), .renew, in: call) {
      visit throws(SIP2Trouble) -> Told<Loan> in
      try await told { () async throws(Gone) in
        let out = try await visit.loans(passwordRule).out
        guard let entry = out.first(where: { wanted.names.contains($0.barcode) }) else {
          throw .refused(.notBorrowed, explanation: nil)
        }
        let message = visit.reader.lend { card, pin in
          Message.renew(entry.barcode, for: card, password: pin, from: visit.sender)
        }
        let answer = RenewAnswer(try await visit.asked(message))
        guard answer.isAccepted else {
          throw .refused(.notRenewable, explanation: Self.words(answer.messages))
        }
        var loan = Loan(item: item, until: answer.due.flatMap { end(of: $0) })
        loan.formats = [.paper]
        loan.lockedFormat = .paper
        loan.isRenewable = true
        loan.isReturnable = false
        loan.title = answer.title
        return loan
      }
    }.value(.renew)
  }

  // MARK: - Steps

  private func cancel(
    _ target: Message.Target, _ visit: Visit
  ) async throws(Gone) -> HoldAnswer {
    let message = visit.reader.lend { card, pin in
      Message.cancelHold(target, for: card, password: pin, from: visit.sender)
    }
    return HoldAnswer(try await visit.asked(message))
  }

  /// On a new line, after one that fell silent. Trouble here leaves open what became of the command.
  private func isThere(_ wanted: Wanted, _ visit: Visit) async throws(Gone) -> Bool {
    do throws(SIP2Trouble) { try await visit.reconnect() } catch { throw .trouble(open(error)) }
    do throws(Gone) {
      return try await visit.holds(passwordRule).first(among: wanted.names) != nil
    } catch {
      guard case .trouble(let trouble) = error else { throw error }
      throw .trouble(open(trouble))
    }
  }

  /// The same trouble, as one that says nothing of the command before it.
  private func open(_ trouble: SIP2Trouble) -> SIP2Trouble {
    trouble.meaning.reason.leavesOutcomeOpen ? trouble : .noTime
  }

  /// A no without a reason is legal. Whether the library knows the book at all can be asked.
  private func refusal(
    of messages: [String], _ wanted: Wanted, _ visit: Visit
  ) async throws(Gone) -> Gone {
    if case .item(let barcode) = wanted.target, try await visit.copy(barcode) == nil {
      return .refused(.titleGone, explanation: nil)
    }
    return .refused(.notHoldable, explanation: Self.words(messages))
  }

  private static func words(_ messages: [String]) -> String? {
    let text = Failures.shown(messages.joined(separator: " "))
    return text.isEmpty ? nil : text
  }

  /// By the copy that the library has listed, which may be another than the one that was asked for.
  private func target(_ entry: Listed, _ wanted: Wanted) -> Message.Target {
    switch wanted.target {
    case .item: .item(entry.barcode)
    case .title, .both: wanted.target
    }
  }

  // MARK: - Names

  /// What an item is called on the wire, and all that it may be called in lists.
  struct Wanted: Sendable {
    let item: ItemID
    let target: Message.Target
    let names: Set<String>
  }

  private func wanted(
    _ item: ItemID, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Wanted {
    switch ItemName(item) {
    case nil: throw Failures.failure(.titleGone, operation)
    case .copy(let barcode):
      return Wanted(item: item, target: .item(barcode), names: [barcode])
    case .title(let number):
      if dialect.holdTarget == .title {
        return Wanted(item: item, target: .title(number), names: [number])
      }
      guard let titles else {
        throw Failures.failure(
          .notConfigured(what: "who finds copies (titles), for holds by barcode"), operation)
      }
      let copies = try await titles.copies(of: item, in: call)
      let barcodes = copies.compactMap(\.barcode)
      machine.known.learn(barcodes, of: item)
      let best = copies.first { $0.state.canBeLent && $0.barcode != nil }?.barcode
      guard let barcode = best ?? barcodes.first else {
        throw Failures.failure(.notHoldable, operation)
      }
      let target: Message.Target =
        dialect.holdTarget == .both ? .both(item: barcode, title: number) : .item(barcode)
      return Wanted(item: item, target: target, names: Set(barcodes + [number]))
    }
  }
}
