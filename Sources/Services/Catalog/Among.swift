import Database
import JSON

extension SQL {
  /// `IN` a list of any length. As one value: its statement is the same for every list, so it is
  /// prepared once, and no engine counts its parameters.
  static func among(_ numbers: [Int64]) -> SQL {
    let list = "[" + numbers.map(String.init).joined(separator: ",") + "]"
    return """
      \(.either(sqlite: "IN (SELECT value FROM json_each(", postgres: "= ANY (CAST(translate("))\
      \(list)\(.either(sqlite: "))", postgres: ", '[]', '{}') AS BIGINT[]))"))
      """
  }

  /// The same of texts.
  static func among(_ texts: [String]) -> SQL { "IN (SELECT value FROM \(rows(of: texts)))" }

  /// Texts as rows of one column, which is called `value`.
  static func rows(of texts: [String]) -> SQL {
    let list = JSONValue.array(texts.map(JSONValue.string)).text()
    return """
      \(.either(sqlite: "json_each(", postgres: "json_array_elements_text(CAST("))\
      \(list)\(.either(sqlite: ")", postgres: " AS json)) AS texts (value)"))
      """
  }
}
