/// What goes wrong with an answer that is a line; the dialect carries it out, since only it knows what a
/// sum or a number is.
package enum LineFault: String, Sendable, Hashable, CaseIterable {
  case wrongSum = "wrong-sum"
  /// The answer says that it belongs to another question.
  case wrongNumber = "wrong-number"
  /// The question is not read, and asked for once more.
  case pleaseRepeat = "please-repeat"
  /// The answer comes twice, in one piece.
  case twice
  /// Bytes that mean nothing stand before the answer.
  case noise
  /// Neither sum nor number.
  case noDetection = "no-detection"
  /// The answer goes on for two megabytes and has no end.
  case endless
  /// Letters in another charset than was agreed on.
  case wrongLetters = "wrong-letters"
  /// Each field stands there twice.
  case repeatedFields = "repeated-fields"
  /// Carried out, and then the service starts anew: all lines break.
  case restart
}
