import Circulation
import JSON
import ReadingLists

/// The entries of a JSON file: our own, or LibraryThing's.
struct ObjectRows: Sendable {
  let format: ShelfFormat
  let entries: [JSONValue]
  private var place = 0

  static let none = ObjectRows(.json, [])

  private init(_ format: ShelfFormat, _ entries: [JSONValue]) {
    (self.format, self.entries) = (format, entries)
  }

  init(_ bytes: [UInt8]) throws(ShelfFileError) {
    let json: JSONValue
    var rules = JSONRules.tolerant
    (rules.maximumBytes, rules.maximumValues) = (ShelfFile.limit, 20_000_000)
    do throws(JSONError) { json = try JSONValue(parsing: bytes, by: rules) } catch {
      throw .badJSON(error.description)
    }
    let entries =
      json["books"]?.array ?? json.array ?? json.object?.members.map(\.value) ?? []
    guard let first = entries.first else {
      guard json["books"] != nil else { throw .noBooks(columns: json.object?.names ?? []) }
      self.init(.json, [])
      return
    }
    if first["books_id"] != nil {
      self.init(.librarything, entries)
    } else if first["title"] != nil || first["isbns"] != nil {
      self.init(.json, entries)
    } else {
      throw .noBooks(columns: first.object?.names ?? json.object?.names ?? [])
    }
  }

  mutating func next() -> ShelfFile.Row? {
    guard place < entries.count else { return nil }
    let value = entries[place]
    place += 1
    return .init(place, place - 1..<place, meaning(of: value))
  }

  private func meaning(of value: JSONValue) -> ShelfFile.Row.Meaning {
    let kept: KeptEntry
    let text = value.text()
    guard !text.contains("\\u0000") else { return .fault("it has zero bytes in it") }
    if format == .librarything {
      guard value.object != nil else { return .fault("it is no entry") }
      kept = LibraryThingEntry.kept(value)
    } else {
      do throws(UnreadableEntry) { kept = try KeptEntry(read: text) } catch {
        return .fault(error.reason)
      }
    }
    return RowSense.fault(of: kept).map { .fault($0) } ?? .book(kept)
  }
}
