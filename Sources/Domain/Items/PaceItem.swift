package import JSON

/// What pacing does with one hold, and what came of it.
package struct PaceItem: Sendable, Hashable {
  package let title: String
  package let account: String
  package let item: String
  /// suspend, resume or leave.
  package let step: String
  /// For how long it rests.
  package let days: Int?
  package let reason: String
  /// planned, left, done, in_doubt or failed.
  package var result: String
  package var trouble: ErrorItem?

  package init(
    title: String, account: String, item: String, step: String, days: Int?, reason: String
  ) {
    (self.title, self.account, self.item) = (title, account, item)
    (self.step, self.days, self.reason) = (step, days, reason)
    result = step == "leave" ? "left" : "planned"
  }

  package var json: JSONValue {
    [
      "title": .string(title), "account": .string(account), "item": .string(item),
      "step": .string(step), "days": .number(days), "reason": .string(reason),
      "result": .string(result), "error": trouble?.json ?? .null,
    ]
  }
}
