package import Circulation

/// Where an adapter reads what its service sends: what cannot be read names the service.
package protocol DocumentReading {
  static var provider: ProviderID { get }
}

extension DocumentReading {
  package static func malformed(_ expected: String, _ operation: Circulation.Operation)
    -> CirculationError
  {
    failure(.malformedResponse(expected: expected), operation, says: nil)
  }

  package static func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String?
  ) -> CirculationError {
    CirculationError(reason, from: provider, during: operation, providerSays: says)
  }
}
