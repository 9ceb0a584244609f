/// Whether two candidates are one work, how sure that is, and why.
package struct Verdict: Sendable, Hashable {
  package enum Answer: String, Sendable, Hashable, CaseIterable {
    case same, different, unsure
  }

  package let verdict: Answer
  /// How likely they are one work, from 0 to 1.
  package let score: Double
  /// In plain words, the weightiest first.
  package let why: [String]
  /// Whether the two contradict each other, rather than merely look unlike: no third one that is
  /// like both can bring them together.
  package let isVeto: Bool

  init(_ verdict: Answer, _ score: Double, _ why: [String], isVeto: Bool = false) {
    (self.verdict, self.score, self.why, self.isVeto) = (verdict, score, why, isVeto)
  }
}
