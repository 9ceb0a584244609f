/// One JSON value, as plain as the format itself. Foundation reads JSON at a fraction of the speed,
/// gives no line numbers and takes milliseconds to wake up; every provider and every `--json`
/// passes through here instead.
///
/// Whole numbers that fit are `integer`; every other number keeps its exact spelling, so that an
/// identifier of thirty digits or a price of `10.10` comes out as it went in.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case decimal(JSONDecimal)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The nearest JSON has to a floating-point number; what JSON cannot say becomes `null`.
  package init(_ double: Double) {
    if let whole = Int(exactly: double), double.sign == .plus || whole != 0 {
      self = .integer(whole)
    } else {
      self = double.isFinite ? .decimal(JSONDecimal(unchecked: "\(double)")) : .null
    }
  }

  /// A string, or `null` where there is none.
  package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

  /// A member of an object; nil for other values and absent names.
  package subscript(_ name: String) -> JSONValue? { object?[name] }

  /// An element of an array; nil for other values and beyond the end.
  package subscript(_ index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  package var isNull: Bool { self == .null }

  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var array: [JSONValue]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  package var object: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  /// The number as an integer, if it is one: `3` and also `3.0`, never a rounded value.
  package var integer: Int? {
    switch self {
    case .integer(let value): value
    case .decimal(let decimal): decimal.integer
    default: nil
    }
  }

  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .decimal(let decimal): decimal.double
    default: nil
    }
  }

  /// How an error names this kind of value.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .decimal: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A number kept as it was written.
package struct JSONDecimal: Sendable, Hashable, CustomStringConvertible {
  package let literal: String

  /// Only for texts that already follow the number grammar of RFC 8259 §6.
  init(unchecked literal: String) { self.literal = literal }

  package var double: Double? { Double(literal) }

  package var integer: Int? {
    // Beyond 2^53 a double no longer tells neighbours apart, so only small ones are trusted.
    guard let double, abs(double) < 9_007_199_254_740_992 else { return nil }
    return Int(exactly: double)
  }

  package var description: String { literal }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }

  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member($0.0, $0.1) }))
  }
}
