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

extension Array where Element == UInt8 {
  /// A page for people, as walls, sign-ins and faults send it in place of what was asked for.
  package var isWebPage: Bool {
    let start = drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }.prefix(200)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }
}
