import Circulation

/// The other side of one account. Every question to it ends in time, also where the adapter forgets
/// its deadline: nobody's patience is left to somebody else's care.
struct Lender: Sendable {
  let account: AccountID
  let provider: any CirculationProvider
  let grace: Duration

  func error(
    _ reason: CirculationError.Reason, during operation: Circulation.Operation,
    says: String? = nil
  ) -> CirculationError {
    CirculationError(
      reason, from: provider.describe().provider, during: operation, providerSays: says)
  }

  /// Whether it lends at all: what is free for everybody is on nobody's shelf but our own.
  var lends: Bool { type(of: provider).capabilities.contains(.lending) }
  private var hasShelf: Bool { type(of: provider).capabilities.contains(.shelf) }
  var isOpen: Bool { !lends && !hasShelf && !keepsLists }
  /// Where readers keep lists there is nothing to be had.
  private var keepsLists: Bool { type(of: provider).capabilities.contains(.lists) }
  var hasBranches: Bool { type(of: provider).capabilities.contains(.physicalHolds) }

  func ask<Answer: Sendable>(
    _ operation: Circulation.Operation, in call: Call,
    _ question:
      @escaping @Sendable (any CirculationProvider) async throws(CirculationError)
      -> Answer
  ) async throws(CirculationError) -> Answer {
    let provider = provider
    let answer = await firstAnswer(by: call.deadline + grace) {
      () async -> Result<Answer, CirculationError> in
      do throws(CirculationError) { return .success(try await question(provider)) } catch {
        return .failure(error)
      }
    }
    guard let answer else { throw error(.deadlineExceeded, during: operation) }
    return try answer.get()
  }

  func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    let shelf = try await ask(.shelf, in: call) { provider throws(CirculationError) in
      try await provider.shelf(in: call)
    }
    guard shelf.isStorable else {
      throw error(.malformedResponse(expected: "ids of text"), during: .shelf)
    }
    return shelf
  }
}

extension Shelf {
  /// An id with a zero byte has no place in any table, and must not take the others down with it.
  fileprivate var isStorable: Bool {
    (loans.map(\.item) + holds.map(\.item)).allSatisfy { item in
      !item.rawValue.isEmpty && !item.rawValue.utf8.contains(0)
    }
  }
}

extension Desk {
  func lender(_ account: AccountID, _ call: Call) async throws(DeskError) -> Lender {
    let (open, grace) = (open, settings.grace)
    let opened = await firstAnswer(by: call.deadline + grace) {
      () async -> Result<any CirculationProvider, DeskError> in
      do throws(DeskError) { return .success(try await open(account, call)) } catch {
        return .failure(error)
      }
    }
    guard let opened else { throw .unopened(Overdue()) }
    return Lender(account: account, provider: try opened.get(), grace: grace)
  }
}

/// An account that took longer to open than its reader was promised.
package struct Overdue: Error {}
