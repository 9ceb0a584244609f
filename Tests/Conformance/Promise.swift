import Circulation

/// Something that a provider keeps to if it declares what that takes. Each promise seeds what it
/// needs, so that any of them can be tried alone.
struct Promise: Sendable {
  let sentence: String
  let needs: Set<Capability>
  let kept: @Sendable (Premises) async throws -> Void

  init(
    _ sentence: String, _ needs: Set<Capability>,
    kept: @escaping @Sendable (Premises) async throws -> Void
  ) {
    (self.sentence, self.needs, self.kept) = (sentence, needs, kept)
  }

  static let all: [Promise] = [
    borrowing, returning, renewing, holding, queueing, suspending, telling, lookingUp, finding,
    harvesting, fulfilling, accounts, patience, discretion, shelving, paper, listing, listKeeping,
    remarks, listPatience, friendship,
  ].flatMap { $0 }
}

/// The refusal that the work met; nil where it met none. An undeclared capability is no refusal like
/// the others and is passed on.
func refusal<Value>(
  _ work: () async throws -> Value
) async throws -> CirculationError.Reason? {
  do {
    _ = try await work()
    return nil
  } catch let error as CirculationError {
    if case .unsupported = error.reason { throw error }
    return error.reason
  }
}
