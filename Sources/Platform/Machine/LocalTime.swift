import Glibc

/// The zone that this machine's people live in, as `TZ` or the system says.
package enum LocalTime {
  /// How far the zone's clocks are ahead of UTC at that moment.
  package static func secondsEast(at moment: Timestamp) -> Int {
    var seconds = time_t(moment.secondsSinceEpoch)
    var parts = tm()
    // Fails only for years that no calendar prints.
    guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
    return unsafe parts.tm_gmtoff
  }

  /// The day there, counted from 1970, and the second of it.
  package static func day(of moment: Timestamp) -> (number: Int64, second: Int64) {
    let local = moment.secondsSinceEpoch + Int64(secondsEast(at: moment))
    let (number, second) = local.floored(by: 86_400)
    return (number, second)
  }
}
