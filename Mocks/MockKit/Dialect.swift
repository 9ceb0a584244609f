package import HTTP
package import HTTPServer

/// One vendor's wire: a value that says which requests are its own and answers them from the state
/// of a world. It holds nothing itself, so that every tenant and every reset begins alike.
package struct Dialect: Sendable {
  package let name: String
  /// Furnishes its libraries for a scenario.
  package let libraries:
    @Sendable (_ scenario: Scenario, _ seed: UInt64, _ now: Moment) -> [MockLibrary]
  /// The name of the operation, in the vendor's words; nil when the request is for somebody else.
  package let operation: @Sendable (MockRequest) -> String?
  package let answer: @Sendable (MockRequest, inout WorldState) -> Response
  /// The body this vendor sends with a status when something is wrong with its service.
  package let failure: @Sendable (Status, inout WorldState) -> Response

  package let coding: Coding
  /// The request as a journal may show it, where what is secret in it has no name that a journal knows.
  package let veil: (@Sendable (MockRequest) -> MockRequest)?
  /// Spoils an answer that is a line; nil where none are.
  package let spoilLine: LineSpoiling?

  package typealias LineSpoiling =
    @Sendable (
      LineFault, MockRequest, Response, inout WorldState
    ) -> Response

  /// What a server does with bodies that are larger than they need be.
  package enum Coding: Sendable { case plain, gzipWhenAsked }

  package init(
    name: String,
    libraries: @escaping @Sendable (Scenario, UInt64, Moment) -> [MockLibrary],
    operation: @escaping @Sendable (MockRequest) -> String?,
    answer: @escaping @Sendable (MockRequest, inout WorldState) -> Response,
    failure: @escaping @Sendable (Status, inout WorldState) -> Response,
    coding: Coding = .plain, veil: (@Sendable (MockRequest) -> MockRequest)? = nil,
    spoilLine: LineSpoiling? = nil
  ) {
    (self.name, self.libraries, self.operation) = (name, libraries, operation)
    (self.answer, self.failure, self.coding) = (answer, failure, coding)
    (self.veil, self.spoilLine) = (veil, spoilLine)
  }
}
