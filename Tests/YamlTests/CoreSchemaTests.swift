import Testing
import Yaml

@Suite struct `Plain texts mean what YAML 1.2 says` {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let value: YamlScalar.Value
    var testDescription: String { text }

    init(_ text: String, _ value: YamlScalar.Value) {
      (self.text, self.value) = (text, value)
    }
  }

  static let rows: [Row] = [
    Row("", .null), Row("~", .null), Row("null", .null), Row("NULL", .null), Row("Null", .null),
    Row("nULL", .string("nULL")),
    Row("true", .bool(true)), Row("True", .bool(true)), Row("FALSE", .bool(false)),
    Row("yes", .string("yes")), Row("no", .string("no")), Row("on", .string("on")),
    Row("y", .string("y")), Row("tRue", .string("tRue")),
    Row("0", .int(0)), Row("-0", .int(0)), Row("+7", .int(7)), Row("0123", .int(123)),
    Row("8080", .int(8080)), Row("-12", .int(-12)),
    Row("9223372036854775807", .int(.max)), Row("-9223372036854775808", .int(.min)),
    Row("9223372036854775808", .string("9223372036854775808")),
    Row("29999001234567890123", .string("29999001234567890123")),
    Row("0o17", .int(15)), Row("0o18", .string("0o18")), Row("0o", .string("0o")),
    Row("-0o17", .string("-0o17")), Row("0O17", .string("0O17")),
    Row("0xff", .int(255)), Row("0xFf", .int(255)), Row("0xg", .string("0xg")),
    Row("0x-1", .string("0x-1")), Row("0x", .string("0x")),
    Row("0xffffffffffffffffff", .string("0xffffffffffffffffff")),
    Row("0b11", .string("0b11")), Row("1_000", .string("1_000")), Row("1:30", .string("1:30")),
    Row("1.10", .float(1.1)), Row("1.", .float(1)), Row(".5", .float(0.5)),
    Row("-.5", .float(-0.5)), Row("1e3", .float(1000)), Row("1.5E-3", .float(0.0015)),
    Row("+1.5e+3", .float(1500)), Row(".", .string(".")), Row("-", .string("-")),
    Row("+", .string("+")), Row("1e", .string("1e")), Row("e3", .string("e3")),
    Row(".e3", .string(".e3")), Row("1.2.3", .string("1.2.3")), Row("1e1.5", .string("1e1.5")),
    Row("--1", .string("--1")), Row("0x1p3", .string("0x1p3")),
    Row("infinity", .string("infinity")),
    Row("nan", .string("nan")), Row(".inf", .float(.infinity)), Row("-.Inf", .float(-.infinity)),
    Row("-.nan", .string("-.nan")), Row("2026-11-21", .string("2026-11-21")),
    Row("\u{0661}", .string("\u{0661}")), Row("10.0.0.1", .string("10.0.0.1")),
  ]

  @Test(arguments: rows)
  func `an unquoted YAML value is read by the core schema`(_ row: Row) {
    #expect(YamlScalar(row.text, style: .plain).value == row.value)
  }

  @Test(arguments: [YamlScalar.Style.singleQuoted, .doubleQuoted, .literal, .folded])
  func `Plain texts mean what YAML 1.2 says: whatever is not plain is a text`(
    _ style: YamlScalar.Style
  ) {
    for row in Self.rows {
      #expect(YamlScalar(row.text, style: style).value == .string(row.text))
    }
  }

  @Test func `a YAML value that is not a number is read as a float`() throws {
    guard case .float(let value) = YamlScalar(".NaN", style: .plain).value else {
      Issue.record("no float")
      return
    }
    #expect(value.isNaN)
  }

  @Test func `a YAML number keeps the spelling of its source`() {
    #expect(YamlScalar("0417", style: .plain).text == "0417")
    #expect(YamlScalar("1.10", style: .plain).text == "1.10")
  }
}
