import SIP2

extension BlockRule.Expression {
  /// By descent, over words that were cut before. Its depth is bounded by the length of a rule.
  struct Parser {
    typealias Fault = BlockRule.Fault
    typealias Expression = BlockRule.Expression

    private enum Word: Hashable {
      case number(Int64)
      case text(String)
      case field(String)
      case name(String)
      case mark(String)
    }

    private var words: ArraySlice<Word> = []
    private let fault: Fault?
    private var depth = 0

    init(_ text: String) {
      do throws(Fault) {
        words = try Self.words(in: text)[...]
        fault = nil
      } catch {
        fault = error
      }
    }

    mutating func whole() throws(Fault) -> Expression {
      if let fault { throw fault }
      let expression = try either()
      guard words.isEmpty else { throw Fault("goes on where it should end") }
      return expression
    }

    private mutating func either() throws(Fault) -> Expression {
      depth += 1
      defer { depth -= 1 }
      guard depth <= 64 else { throw Fault("is nested too deeply") }
      var expression = try both()
      while take(.name("or")) { expression = .or(expression, try both()) }
      return expression
    }

    private mutating func both() throws(Fault) -> Expression {
      var expression = try negation()
      while take(.name("and")) { expression = .and(expression, try negation()) }
      return expression
    }

    private mutating func negation() throws(Fault) -> Expression {
      var count = 0
      while take(.name("not")) { count += 1 }
      let expression = try comparison()
      return count.isMultiple(of: 2) ? expression : .not(expression)
    }

    private mutating func comparison() throws(Fault) -> Expression {
      let one = try value()
      guard case .mark(let mark)? = words.first, let comparison = Comparison(rawValue: mark) else {
        return one
      }
      words.removeFirst()
      return .compared(one, comparison, try value())
    }

    private mutating func value() throws(Fault) -> Expression {
      guard let word = words.popFirst() else { throw Fault("ends where something should stand") }
      switch word {
      case .number(let number): return .constant(.number(number))
      case .text(let text): return .constant(.text(text))
      case .field(let name): return .field(name)
      case .name("true"): return .constant(.truth(true))
      case .name("false"): return .constant(.truth(false))
      case .name(let name):
        guard let function = Function(rawValue: name) else {
          throw Fault("has the unknown word '\(name.prefix(20))'")
        }
        guard take(.mark("(")) else { throw Fault("lacks a bracket behind \(name)") }
        return .call(function, try bracketed())
      case .mark("("): return try bracketed()
      case .mark(let mark): throw Fault("has '\(mark)' where something else should stand")
      }
    }

    private mutating func bracketed() throws(Fault) -> Expression {
      let expression = try either()
      guard take(.mark(")")) else { throw Fault("lacks a closing bracket") }
      return expression
    }

    private mutating func take(_ word: Word) -> Bool {
      guard words.first == word else { return false }
      words.removeFirst()
      return true
    }

    // MARK: - Words

    private static func words(in text: String) throws(Fault) -> [Word] {
      var words: [Word] = []
      var rest = text[...]
      while let sign = rest.first {
        switch sign {
        case _ where sign.isWhitespace: rest.removeFirst()
        case "{": words.append(.field(try enclosed(&rest, by: "}")))
        case "'", "\"": words.append(.text(try enclosed(&rest, by: sign)))
        case "(", ")":
          words.append(.mark(String(sign)))
          rest.removeFirst()
        case "=", "!", "<", ">":
          let mark = String(rest.prefix { "=!<>".contains($0) }.prefix(2))
          guard Comparison(rawValue: mark) != nil else {
            throw Fault("has the unknown sign '\(mark)'")
          }
          words.append(.mark(mark))
          rest.removeFirst(mark.count)
        case "0"..."9", "-":
          let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
          guard let amount = Amount(String(number)),
            number.lastIndex(of: "-") ?? number.startIndex == number.startIndex
          else { throw Fault("has a number that is none") }
          words.append(.number(amount.tenThousandths))
          rest.removeFirst(number.count)
        default:
          let name = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
          guard !name.isEmpty else { throw Fault("has the unknown sign '\(sign)'") }
          words.append(.name(name.lowercased()))
          rest.removeFirst(name.count)
        }
      }
      return words
    }

    /// What stands up to the closing sign; the rest begins behind it.
    private static func enclosed(
      _ rest: inout Substring, by close: Character
    ) throws(Fault) -> String {
      rest.removeFirst()
      guard let end = rest.firstIndex(of: close) else { throw Fault("lacks a closing \(close)") }
      let inside = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      return inside
    }
  }
}
