extension YamlCursor {
  /// Any single value as it was written. Numbers and `true` are taken letter by letter (`0417` keeps
  /// its zero), because for a name or a card number the letters are the value.
  package func string() throws(YamlFault) -> String {
    let node = try node()
    guard let scalar = node.scalar, scalar.value != .null else {
      throw unfit(YamlNode.Kind.string.words, node)
    }
    return scalar.text
  }

  package func bool() throws(YamlFault) -> Bool {
    let node = try node()
    guard case .bool(let value) = node.scalar?.value else {
      throw unfit(YamlNode.Kind.bool.words, node)
    }
    return value
  }

  package func int(in range: ClosedRange<Int> = Int.min...Int.max) throws(YamlFault) -> Int {
    let node = try node()
    guard case .int(let value) = node.scalar?.value, range.contains(value) else {
      throw unfit(Self.words(YamlNode.Kind.int.words, for: range, .min, .max), node)
    }
    return value
  }

  /// A finite number; whole numbers are numbers too.
  package func double(
    in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
  ) throws(YamlFault) -> Double {
    let node = try node()
    let value: Double? =
      switch node.scalar?.value {
      case .int(let value): Double(value)
      case .float(let value): value
      default: nil
      }
    guard let value, value.isFinite, range.contains(value) else {
      let (low, high) = (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
      throw unfit(Self.words(YamlNode.Kind.float.words, for: range, low, high), node)
    }
    return value
  }

  /// One word of a closed set.
  package func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ type: Choice.Type = Choice.self
  ) throws(YamlFault) -> Choice {
    let words = Choice.allCases.map(\.rawValue)
    return try value(words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))") {
      Choice(rawValue: $0)
    }
  }

  /// A text with a meaning of its own (an address, a duration); `expected` as in "a duration (90s)".
  package func value<Value>(
    _ expected: String, _ parse: (String) -> Value?
  ) throws(YamlFault) -> Value {
    let node = try node()
    guard let scalar = node.scalar, scalar.value != .null, let value = parse(scalar.text) else {
      throw unfit(expected, node)
    }
    return value
  }

  private static func words<Bound: Comparable>(
    _ kind: String, for range: ClosedRange<Bound>, _ lowest: Bound, _ highest: Bound
  ) -> String {
    switch (range.lowerBound == lowest, range.upperBound == highest) {
    case (true, true): kind
    case (true, false): "\(kind), at most \(range.upperBound)"
    case (false, true): "\(kind), at least \(range.lowerBound)"
    case (false, false): "\(kind) from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}
