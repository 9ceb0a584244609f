package import HTTPServer

/// What each question was answered before the last change, so that a cache which lags behind can be
/// played.
package struct AnswerMemory: Sendable {
  private struct Pair: Sendable {
    var last: Response
    var before: Response?
  }

  private static let most = 512
  private var pairs: [String: Pair] = [:]
  private var order: [String] = []

  package init() {}

  package mutating func remember(_ response: Response, to question: String) {
    guard var pair = pairs[question] else {
      pairs[question] = Pair(last: response)
      order.append(question)
      if order.count > Self.most { pairs[order.removeFirst()] = nil }
      return
    }
    guard pair.last.wholeBody != response.wholeBody else { return }
    (pair.before, pair.last) = (pair.last, response)
    pairs[question] = pair
  }

  /// The answer before the last change; without any change the last one is still the right one.
  package func stale(_ question: String) -> Response? {
    pairs[question].map { $0.before ?? $0.last }
  }
}

extension Response {
  /// The body of an answer made in one piece, as dialects make them.
  package var wholeBody: [UInt8] {
    if case .bytes(let bytes) = body { return bytes }
    return []
  }
}
