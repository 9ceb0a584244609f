import HTTP
package import HTTPClient

extension Reply {
  /// How long the service asks to be left alone: seconds, or a date. Capped at a day, as a wrong
  /// clock elsewhere must not silence us for years.
  package var retryAfter: Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if let seconds = Int(text.filter { $0 != " " }) {
      return .seconds(min(max(seconds, 0), 86_400))
    }
    guard let date = HTTPDate(text) else { return nil }
    // Against the service's own clock where it tells it.
    let now = headers["Date"].flatMap { HTTPDate($0) } ?? .now
    return .seconds(min(max(date.seconds - now.seconds, 0), 86_400))
  }
}
