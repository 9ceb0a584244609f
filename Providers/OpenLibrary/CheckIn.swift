package import Circulation
import JSON
import ProviderKit

/// When a book was begun or finished. The service takes such dates, a year alone among them, and
/// tells them to nobody but its own pages (§3): so they are no part of what is kept in step.
package struct CheckIn: Sendable, Hashable {
  package enum Event: Int, Sendable {
    case started = 1
    case progress, finished
  }

  package var event: Event
  package var date: PartialDate
  /// One that was made before and is to say something else now.
  package var number: Int?

  package init(_ event: Event, on date: PartialDate, inPlaceOf number: Int? = nil) {
    (self.event, self.date, self.number) = (event, date, number)
  }

  var json: JSONValue {
    [
      "event_type": .integer(event.rawValue), "year": .integer(date.year),
      "month": date.month.map { .integer($0) } ?? .null,
      "day": date.day.map { .integer($0) } ?? .null, "edition_key": .null,
      "event_id": number.map { .integer($0) } ?? .null,
    ]
  }
}

extension OpenLibraryProvider {
  /// The number by which it can be changed and taken back; no other way leads to it.
  package func note(_ checkIn: CheckIn, of entry: ListEntry, in call: Call)
    async throws(CirculationError) -> Int
  {
    guard let work = entry.record.flatMap({ Key($0, .work) }) ?? Key(entry.item) else {
      throw failure(.titleGone, .list, says: "no work is called \(entry.item)")
    }
    let answer = try await ask(.list, in: call) { _ in settings.checkIn(work, checkIn) }
    guard let number = try Documents.object(answer, .list)["id"]?.whole else {
      throw Documents.malformed("the number of a date", .list)
    }
    return number
  }

  package func withdraw(checkIn number: Int, in call: Call) async throws(CirculationError) {
    let answer = try await ask(.list, in: call) { _ in settings.withdraw(number) }
    guard !answer.isSuccess else { return }
    _ = try Documents.object(answer, .list)
  }
}
