/// How fast held books shall come.
package struct PaceOrder: Sendable, Hashable {
  package enum MostReady: Sendable, Hashable {
    case asBefore
    /// From now on; nil for any number.
    case set(Int?)
  }

  package let mostReady: MostReady
  package let isDryRun: Bool

  package init(mostReady: MostReady, isDryRun: Bool) {
    (self.mostReady, self.isDryRun) = (mostReady, isDryRun)
  }
}
