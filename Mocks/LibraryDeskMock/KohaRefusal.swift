import HTTP
import HTTPServer
import JSON

/// Why the interface says no, in its two forms.
struct KohaRefusal: Error {
  let response: Response

  init(_ status: Status, _ error: String, code: String? = nil) {
    var object: JSONObject = ["error": .string(error)]
    if let code { object["error_code"] = .string(code) }
    response = .koha(.object(object), status)
  }

  /// What the check of parameters says before anything is looked at.
  static func misspelt(_ message: String, _ path: String) -> KohaRefusal {
    KohaRefusal([
      "errors": [["message": .string(message), "path": .string(path)]], "status": 400,
    ])
  }

  private init(_ json: JSONValue) { response = .koha(json, .badRequest) }

  static func hold(_ code: String) -> KohaRefusal {
    KohaRefusal(.forbidden, "Hold cannot be placed. Reason: \(code)", code: code)
  }
}

extension Response {
  static func koha(_ json: JSONValue, _ status: Status = .ok) -> Response {
    .bytes(json.bytes(), MediaType("application", "json"), status: status)
  }
}
