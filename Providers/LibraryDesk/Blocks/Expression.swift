import Machine
import SIP2

extension BlockRule {
  /// What a rule looks at: comparisons of fields in braces, numbers and texts, joined by `and`,
  /// `or` and `not`, with two functions. It has neither loops nor names of its own, so it always
  /// ends.
  indirect enum Expression: Sendable {
    case constant(Value)
    case field(String)
    case call(Function, Expression)
    case not(Expression)
    case and(Expression, Expression)
    case or(Expression, Expression)
    case compared(Expression, Comparison, Expression)

    enum Function: String, Sendable {
      /// Years since a day that is written as a text.
      case age
      /// The number that a text holds.
      case number
    }

    enum Comparison: String, Sendable {
      case equal = "=="
      case unequal = "!="
      case atMost = "<="
      case atLeast = ">="
      case less = "<"
      case more = ">"
    }

    init(parsing text: String) throws(Fault) {
      var parser = Parser(text)
      self = try parser.whole()
    }

    func value(with fields: Fields) throws(Fault) -> Value {
      switch self {
      case .constant(let value): return value
      case .field(let name): return try fields.value(of: name)
      case .call(let function, let part):
        return try function.value(of: part.value(with: fields), fields)
      case .not(let part): return .truth(try !part.truth(with: fields))
      case .and(let one, let other):
        guard try one.truth(with: fields) else { return .truth(false) }
        return .truth(try other.truth(with: fields))
      case .or(let one, let other):
        if try one.truth(with: fields) { return .truth(true) }
        return .truth(try other.truth(with: fields))
      case .compared(let one, let comparison, let other):
        return .truth(
          try comparison.holds(one.value(with: fields), other.value(with: fields)))
      }
    }

    private func truth(with fields: Fields) throws(Fault) -> Bool {
      guard case .truth(let truth) = try value(with: fields) else {
        throw Fault("takes for true or false what is neither")
      }
      return truth
    }
  }
}

extension BlockRule.Expression.Function {
  func value(of part: BlockRule.Value, _ fields: BlockRule.Fields)
    throws(BlockRule.Fault) -> BlockRule.Value
  {
    guard case .text(let text) = part else {
      throw BlockRule.Fault("gives \(rawValue)() something else than a text")
    }
    switch self {
    case .number:
      guard let amount = Amount(text) else {
        throw BlockRule.Fault("finds no number in a text")
      }
      return .number(amount.tenThousandths)
    case .age:
      guard let birth = CivilDate(written: text),
        case .text(let now) = try fields.value(of: "today"),
        let today = CivilDate(written: now)
      else { throw BlockRule.Fault("finds no day in a text") }
      return .number(10_000 * Int64(BlockRule.Fields.years(since: birth, today)))
    }
  }
}

extension BlockRule.Expression.Comparison {
  /// Like is compared with like; texts as they are sorted, which suits days.
  func holds(_ one: BlockRule.Value, _ other: BlockRule.Value) throws(BlockRule.Fault) -> Bool {
    switch (one, other) {
    case (.number(let one), .number(let other)): return holds(one, other)
    case (.text(let one), .text(let other)): return holds(one, other)
    case (.truth(let one), .truth(let other)):
      switch self {
      case .equal: return one == other
      case .unequal: return one != other
      default: throw BlockRule.Fault("puts true and false in an order")
      }
    default: throw BlockRule.Fault("compares unlike things")
    }
  }

  private func holds<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
    switch self {
    case .equal: one == other
    case .unequal: one != other
    case .atMost: one <= other
    case .atLeast: one >= other
    case .less: one < other
    case .more: one > other
    }
  }
}
