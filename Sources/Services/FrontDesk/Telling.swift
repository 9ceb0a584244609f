package import FoundationEssentials
package import Machine
package import Phrasebook

/// A sentence for people in which moments stay moments, so that a page can mark them for machines and
/// a feed can write them out.
package struct Telling: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case words(String)
    case day(Date)
  }

  package let pieces: [Piece]

  package func text(by clock: PlaceClock) -> String {
    pieces.map { piece in
      switch piece {
      case .words(let words): words
      case .day(let date): clock.day(date)
      }
    }.joined()
  }

  private init(_ pieces: [Piece]) { self.pieces = pieces }

  /// A sentence without moments.
  package init(_ words: String) { pieces = [.words(words)] }

  /// In the tongue of the moment.
  package static func said(_ sentence: Sentence<Piece>) -> Telling {
    Telling(
      sentence.pieces.map { piece in
        switch piece {
        case .words(let words): .words(words)
        case .hole(let hole): hole
        }
      })
  }
}

extension Sentence.StringInterpolation where Hole == Telling.Piece {
  package mutating func appendInterpolation(_ words: String) {
    appendInterpolation(Telling.Piece.words(words))
  }

  package mutating func appendInterpolation(day: Date) {
    appendInterpolation(Telling.Piece.day(day))
  }
}

/// The clock on the wall of one library: what ends there ends by it.
package struct PlaceClock: Sendable {
  private let secondsEast: @Sendable (Timestamp) -> Int
  private var order = DayOrder.dayFirst

  private init(_ secondsEast: @escaping @Sendable (Timestamp) -> Int) {
    self.secondsEast = secondsEast
  }

  package init(_ zone: Zone) { self.init { zone.secondsEast(at: $0) } }

  package static let utc = PlaceClock { _ in 0 }
  /// Of the machine that this runs on.
  package static let here = PlaceClock { LocalTime.secondsEast(at: $0) }

  /// The same clock for somebody who reads days in another order.
  package func read(in order: DayOrder) -> PlaceClock {
    var clock = self
    clock.order = order
    return clock
  }

  /// `23 January 2027`
  package func day(_ date: Date) -> String {
    let day = civil(date)
    let month = Words.month(day.month)
    switch order {
    case .monthFirst where Tongue.current == .english: return "\(month) \(day.day), \(day.year)"
    case .dayFirst, .monthFirst: return Words.day(day.day, month, Int(day.year))
    case .numbers: return Self.numbers(day)
    }
  }

  private static func numbers(_ day: CivilDate) -> String {
    let year = String(day.year)
    let years = String(repeating: "0", count: max(0, 4 - year.count)) + year
    return "\(years)-\(two(Int64(day.month)))-\(two(Int64(day.day)))"
  }

  /// `23 January 2027, 18:05`
  package func moment(_ date: Date) -> String {
    let second = seconds(date).floored(by: 86_400).remainder
    return "\(day(date)), \(Self.two(second / 3_600)):\(Self.two(second / 60 % 60))"
  }

  /// `2027-01-23T18:05+01:00`, as a page tells it to machines.
  package func stamp(_ date: Date) -> String {
    let day = civil(date)
    let second = seconds(date).floored(by: 86_400).remainder
    let east = Int64(secondsEast(moment(of: date)))
    let (sign, off) = (east < 0 ? "-" : "+", abs(east) / 60)
    let zone = east == 0 ? "Z" : "\(sign)\(Self.two(off / 60)):\(Self.two(off % 60))"
    return Self.numbers(day)
      + "T\(Self.two(second / 3_600)):\(Self.two(second / 60 % 60))\(zone)"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func moment(of date: Date) -> Timestamp {
    Timestamp(secondsSinceEpoch: Int64(date.timeIntervalSince1970.rounded(.down)))
  }

  private func seconds(_ date: Date) -> Int64 {
    let moment = moment(of: date)
    return moment.secondsSinceEpoch + Int64(secondsEast(moment))
  }

  private func civil(_ date: Date) -> CivilDate {
    CivilDate(daysSinceEpoch: seconds(date).floored(by: 86_400).quotient)
  }
}
