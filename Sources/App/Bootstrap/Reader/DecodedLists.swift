import Circulation
import FoundationEssentials
import JSON

// What an adapter understood of reading lists, as JSON.

extension ReadingList {
  var json: JSONValue {
    [
      "list": .string(id.rawValue), "name": .string(name),
      "count": count.map(JSONValue.integer) ?? .null, "exclusive": .bool(isExclusive),
      "state": JSONValue(state?.word), "open": .bool(isOpen),
      "changed": JSONValue(changedAt?.rfc3339),
    ]
  }
}

extension ListEntry {
  var json: JSONValue {
    [
      "item": .string(item.rawValue), "record": JSONValue(record), "title": .string(title),
      "authors": .array(authors.map(JSONValue.string)),
      "isbns": .array(isbns.map { .string("\($0)") }),
      "identifiers": .array(
        identifiers.map { ["scheme": .string($0.scheme), "value": .string($0.value)] }),
      "published": JSONValue(published?.description),
      "rating": rating.map { JSONValue($0) } ?? .null, "review": JSONValue(review),
      "review_is_cut": .bool(isReviewCut),
      "readings": .array(
        readings.map {
          [
            "started": JSONValue($0.started?.description),
            "finished": JSONValue($0.finished?.description),
          ]
        }),
      "read_count": readCount.map(JSONValue.integer) ?? .null,
      "added": JSONValue(addedAt?.rfc3339), "changed": JSONValue(changedAt?.rfc3339),
      "lists": .array(lists.map { .string($0.rawValue) }), "state": JSONValue(state?.word),
      "position": position.map(JSONValue.integer) ?? .null, "link": JSONValue(link),
    ]
  }
}
