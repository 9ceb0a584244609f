/// A point on the virtual clock, in milliseconds since 1970 UTC.
package struct Moment: Sendable, Hashable, Comparable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (one: Moment, other: Moment) -> Bool {
    one.milliseconds < other.milliseconds
  }

  package static func + (one: Moment, milliseconds: Int64) -> Moment {
    Moment(milliseconds: one.milliseconds + milliseconds)
  }

  package static func - (one: Moment, other: Moment) -> Int64 {
    one.milliseconds - other.milliseconds
  }
}
