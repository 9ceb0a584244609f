package import Machine

/// How far clocks are ahead of UTC at a moment.
package typealias Clockwork = @Sendable (Timestamp) -> Int

/// When a channel may be heard: by the clock that the reader lives by.
package struct Hours: Sendable, Hashable {
  /// From one minute of the day until another; over midnight where the end is not after the start.
  package struct Quiet: Sendable, Hashable {
    package let start: Int
    package let end: Int

    package init(from start: Int, to end: Int) { (self.start, self.end) = (start, end) }

    func contains(_ minute: Int) -> Bool {
      start < end ? start <= minute && minute < end : minute >= start || minute < end
    }
  }

  package var quiet: Quiet?
  /// The minute of the day at which everything is told together; nil for each thing at once.
  package var digest: Int?
  /// Where the reader lives, as `Europe/Berlin`; nil for where the machine stands.
  package var zone: String?

  package init(quiet: Quiet? = nil, digest: Int? = nil, zone: String? = nil) {
    (self.quiet, self.digest, self.zone) = (quiet, digest, zone)
  }

  /// How much time there must be left to do something about it.
  static let margin: Int64 = 3_600_000

  /// The first moment from this one on at which it may be told; at once where all later ones would be
  /// too late.
  func moment(from now: Int64, until end: Int64?, _ east: Clockwork) -> Int64 {
    var moment = now
    if let digest { moment = next(digest, from: moment, east) }
    moment = afterQuiet(moment, east)
    if let end, moment > end - Self.margin { return now }
    return moment
  }

  /// The same for another try: a digest is not waited for twice.
  func retry(at moment: Int64, now: Int64, until end: Int64?, _ east: Clockwork) -> Int64 {
    let later = afterQuiet(moment, east)
    if let end, later > end - Self.margin { return moment }
    return later
  }

  private func afterQuiet(_ moment: Int64, _ east: Clockwork) -> Int64 {
    guard let quiet else { return moment }
    let local = Self.local(moment, east)
    let minute = Int((local % 86_400 + 86_400) % 86_400 / 60)
    return quiet.contains(minute) ? next(quiet.end, from: moment, east) : moment
  }

  /// The next time that clocks show this minute, or this very moment where it has just begun.
  private func next(_ minute: Int, from moment: Int64, _ east: Clockwork) -> Int64 {
    let local = Self.local(moment, east)
    let second = (local % 86_400 + 86_400) % 86_400
    let midnight = local - second
    var wanted = midnight + Int64(minute) * 60
    if second / 60 > minute { wanted += 86_400 }
    if second / 60 == minute { return moment }
    // Clocks may be changed in the night that lies between.
    let guess = (wanted - (local - moment / 1000)) * 1000
    return (wanted - Int64(east(Timestamp(millisecondsSinceEpoch: guess)))) * 1000
  }

  private static func local(_ moment: Int64, _ east: Clockwork) -> Int64 {
    let moment = Timestamp(millisecondsSinceEpoch: moment)
    return moment.secondsSinceEpoch + Int64(east(moment))
  }
}
