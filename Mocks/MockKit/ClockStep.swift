package import JSON

/// One order to the clock.
package enum ClockStep: Sendable, Hashable {
  case set(Moment)
  case advance(milliseconds: Int64)
  case freeze
  case run(speed: Double)

  /// `{"set": "2026-04-01T00:00:00Z"}`, `{"advance": "3d"}` or seconds, `{"freeze": true}`,
  /// `{"run": 60}` or `"x60"`.
  package init(reading json: JSONValue) throws(AdminRefusal) {
    guard let object = json.object, object.count == 1, let order = object.members.first else {
      throw AdminRefusal("give one of set, advance, freeze, run")
    }
    switch order.name {
    case "set":
      guard let moment = order.value.string.flatMap({ Moment($0) }) else {
        throw AdminRefusal("set takes a moment as RFC 3339")
      }
      self = .set(moment)
    case "advance":
      if let seconds = order.value.integer, (0...31_557_600_000).contains(seconds) {
        self = .advance(milliseconds: Int64(seconds) * 1000)
      } else if let span = order.value.string.flatMap(Self.span) {
        self = .advance(milliseconds: span)
      } else {
        throw AdminRefusal("advance takes seconds, or a span such as 90s, 15m, 2h, 3d or 2w")
      }
    case "freeze": self = .freeze
    case "run":
      var text = order.value.string ?? order.value.double.map { "\($0)" } ?? ""
      if text.hasPrefix("x") { text.removeFirst() }
      guard let speed = Double(text), speed > 0, speed <= 1_000_000 else {
        throw AdminRefusal("run takes a speed such as x60")
      }
      self = .run(speed: speed)
    case let name: throw AdminRefusal("the clock cannot \"\(name)\"")
    }
  }

  package func apply(to state: inout WorldState) {
    switch self {
    case .set(let moment): state.clock.set(to: moment)
    case .advance(let milliseconds): state.clock.advance(by: milliseconds)
    case .freeze: state.clock.freeze()
    case .run(let speed): state.clock.start(times: speed)
    }
    state.settle()
  }

  /// Milliseconds of `3d` or `1d12h`; nil for what is no span.
  static func span(_ text: String) -> Int64? {
    let units: [Character: Int64] = [
      "s": 1000, "m": 60_000, "h": 3_600_000, "d": LendingRules.day, "w": 7 * LendingRules.day,
    ]
    var (sum, digits): (Int64, String) = (0, "")
    guard text.utf8.count <= 64 else { return nil }
    for sign in text {
      if sign.isASCII, sign.isNumber {
        digits.append(sign)
      } else {
        guard let unit = units[sign], let count = Int64(digits), count < 100_000 else { return nil }
        sum += count * unit
        digits = ""
      }
    }
    return digits.isEmpty && !text.isEmpty ? sum : nil
  }
}
