package import JSON

/// What a reader wrote to whoever runs the gateway.
package struct FeedbackItem: Sendable, Hashable {
  package let reader: String
  package let at: String
  package let text: String
  /// Where an answer may go.
  package let answerTo: String?
  package let isMailed: Bool

  package init(reader: String, at: String, text: String, answerTo: String?, isMailed: Bool) {
    (self.reader, self.at, self.text) = (reader, at, text)
    (self.answerTo, self.isMailed) = (answerTo, isMailed)
  }

  package var json: JSONValue {
    [
      "reader": .string(reader), "at": .string(at), "text": .string(text),
      "answer_to": JSONValue(answerTo), "mailed": .bool(isMailed),
    ]
  }
}
