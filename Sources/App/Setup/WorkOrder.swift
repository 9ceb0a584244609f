/// What a reader says about which editions are one work.
package enum WorkOrder: Sendable, Hashable {
  /// Two titles, each by work id, `ACCOUNT:ITEM` or words.
  case join(String, String)
  /// Editions of one work, as `ACCOUNT:ITEM`, that are a work of their own.
  case split([String])
  /// Takes a decision back, the last one if no number is given.
  case undo(Int?)
}
