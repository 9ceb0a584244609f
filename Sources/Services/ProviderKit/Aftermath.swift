package import Circulation

/// A look that is to tell what became of a command. Where it is refused nothing is known of the command: the
/// refusal is the look's, and the outcome stays open.
package func afterCommand<Value>(
  _ look: () async throws(CirculationError) -> Value
) async throws(CirculationError) -> Value {
  do throws(CirculationError) { return try await look() } catch { throw error.leavingOutcomeOpen }
}

extension CirculationError {
  /// The same, where it is no word about the command that it came after.
  package var leavingOutcomeOpen: CirculationError {
    guard !reason.leavesOutcomeOpen else { return self }
    return CirculationError(
      .providerUnavailable, from: provider, during: operation,
      providerSays: "what became of it cannot be seen: \(reason.code)")
  }
}
