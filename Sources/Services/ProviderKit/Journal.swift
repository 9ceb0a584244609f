/// One exchange as support may see it: where, what came of it, how long. No query, no header, no
/// body: those hold cards, PINs and tokens.
package struct JournalEntry: Sendable, Hashable {
  package enum Result: Sendable, Hashable {
    case status(Int)
    /// The kind of fault, never its text.
    case fault(String)
  }

  package let requestID: String
  package let operation: String
  package let attempt: Int
  package let method: String
  package let host: String
  package let path: String
  package let result: Result
  package let took: Duration

  package init(
    requestID: String, operation: String, attempt: Int, method: String, host: String,
    path: String, result: Result, took: Duration
  ) {
    (self.requestID, self.operation, self.attempt) = (requestID, operation, attempt)
    (self.method, self.host, self.path) = (method, host, path)
    (self.result, self.took) = (result, took)
  }
}
