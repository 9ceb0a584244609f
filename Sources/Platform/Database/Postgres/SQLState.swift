/// What PostgreSQL's five-character codes mean to us.
enum SQLState {
  /// `name` is a constraint's or a column's name: never the server's sentence, which quotes values.
  static func reason(for state: String, name: String?) -> DatabaseError.Reason {
    switch state {
    case "23505": .constraint(.unique, name: name)
    case "23503", "23001": .constraint(.foreignKey, name: name)
    case "23502": .constraint(.notNull, name: name)
    case "23514": .constraint(.check, name: name)
    case "40001", "40P01": .conflict
    case "40003": .outcomeUnknown
    case "55P03": .busy
    case "57014": .deadlineExceeded
    case "57P01", "57P02", "57P03", "57P05", "25P03": .connectionLost
    case "25P02": .transactionFailed
    case "25006": .readOnly
    case "42501": .denied
    case "42804": .constraint(.dataType, name: name)
    case "08P01": .syntax
    case "53100": .full
    case "58030": .inputOutput
    default: reason(forClass: state.prefix(2), name: name)
    }
  }

  private static func reason(forClass state: Substring, name: String?) -> DatabaseError.Reason {
    switch state {
    case "08": .connectionLost
    case "22": .invalidValue
    case "23": .constraint(.other, name: name)
    case "28": .denied
    case "40": .conflict
    case "42": .syntax
    case "53": .busy
    case "58": .inputOutput
    case "XX": .corrupt
    case "0A": .unsupported("this statement")
    default: .other
    }
  }
}
