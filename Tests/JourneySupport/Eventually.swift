package import Testing

/// Asks again as soon as it was answered, for what happens in another process, which tells nobody.
/// Each look is a process of its own and takes its time, so that nothing has to sleep in between.
package func eventually(
  _ what: String = "it", at place: SourceLocation = #_sourceLocation,
  _ isSo: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < end {
    if try await isSo() { return }
  }
  Issue.record("\(what) did not happen within a minute", sourceLocation: place)
}
