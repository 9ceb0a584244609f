package import JSON

/// What was found out about two editions: whether they are one work, and why.
package struct MatchItem: Sendable, Hashable {
  package let id: String
  /// same, different or unsure.
  package let verdict: String
  package let score: Double
  package let why: [String]

  package init(id: String, verdict: String, score: Double, why: [String]) {
    (self.id, self.verdict, self.score, self.why) = (id, verdict, score, why)
  }

  package var json: JSONValue {
    [
      "id": .string(id), "verdict": .string(verdict), "score": JSONValue(score),
      "why": .texts(why),
    ]
  }
}
