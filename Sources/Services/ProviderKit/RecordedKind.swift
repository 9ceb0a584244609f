package import Circulation

/// One kind of recorded answer, and how it is read. `Asked` is whatever the adapter needs for it.
package struct RecordedKind<Asked>: Sendable {
  package let kind: String
  /// What such an answer usually answers: the meaning of a code depends on it.
  package let operation: Circulation.Operation
  package let read: @Sendable (Asked) throws(CirculationError) -> Decoded

  package init(
    kind: String, operation: Circulation.Operation,
    read: @escaping @Sendable (Asked) throws(CirculationError) -> Decoded
  ) {
    (self.kind, self.operation, self.read) = (kind, operation, read)
  }
}

extension Array {
  /// Reads one answer as the kind named; of other kinds it tells which there are.
  package func decoded<Asked>(
    _ kind: String, during operation: Circulation.Operation?,
    _ asked: (Circulation.Operation) -> Asked
  ) -> Decoded where Element == RecordedKind<Asked> {
    guard let row = first(where: { $0.kind == kind }) else { return .unknownKind(map(\.kind)) }
    do throws(CirculationError) {
      return try row.read(asked(operation ?? row.operation))
    } catch {
      return .failure(error)
    }
  }
}
