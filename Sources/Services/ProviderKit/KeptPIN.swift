package import Circulation

extension CirculationError.Reason {
  /// Of a card whose PIN its reader did not let be kept: theirs to mend, and nobody's fault.
  package static let pinNotKept = Self.notConfigured(what: "the card's PIN, which is not kept here")
}
