package import HTTP
import Machine

extension Moment {
  /// Reads RFC 3339; a date alone is its first moment.
  package init?(_ text: String) {
    guard let stamp = Timestamp(rfc3339: text) else { return nil }
    self.init(milliseconds: stamp.millisecondsSinceEpoch)
  }

  /// `2026-03-24T09:05:00Z`
  package var text: String { Timestamp(millisecondsSinceEpoch: milliseconds).rfc3339() }

  package var httpDate: HTTPDate {
    HTTPDate(seconds: Timestamp(millisecondsSinceEpoch: milliseconds).secondsSinceEpoch)
  }

  /// Where the clock of a mock stands unless told otherwise: a Monday in spring, far from the ends
  /// of month, year and summer time.
  package static let usualStart = Moment(milliseconds: 1_773_651_600_000)
}
