import Glibc

/// The time of day as machines write it.
package enum WallClock {
  /// RFC 3339 in UTC, to the second.
  package static var now: String {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return text(of: time.tv_sec)
  }

  /// The civil calendar counted from 1 March of year 0, so that the leap day ends the year.
  static func text(of seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86400)
    let shifted = days + 719_468
    let era = shifted / 146_097
    let day = shifted % 146_097
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
    let ofYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
    return "\(civilYear)-\(two(civilMonth))-\(two(date))"
      + "T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }
}
