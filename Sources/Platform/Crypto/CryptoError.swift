/// Why a cryptographic step refused. It never says more: a reason in detail helps who guesses.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An input of a length that the algorithm does not take; the name of the input is told.
  case wrongLength(String)
  /// The tag or signature does not belong to the data. Nothing of the data was released.
  case notAuthentic
  case badPadding
  /// A text that is no base64, hex, PEM or JWK of what was wanted.
  case badEncoding(String)
  /// Parameters outside the bounds that we accept from stored files.
  case outOfBounds(String)
  /// The library itself failed, as when memory or randomness ran out.
  case unavailable(String)

  package var description: String {
    switch self {
    case .wrongLength(let what): "\(what) has a length that is not possible"
    case .notAuthentic: "the data is not authentic"
    case .badPadding: "the padding is damaged"
    case .badEncoding(let what): "this is no \(what)"
    case .outOfBounds(let what): "\(what) is out of bounds"
    case .unavailable(let what): "\(what) is not available"
    }
  }
}
