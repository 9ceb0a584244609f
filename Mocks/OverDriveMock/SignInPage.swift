import HTTP

/// OverDrive's page on which readers of some libraries sign in themselves.
struct SignInPage {
  let html: String

  init(_ library: String, _ form: FormFields, problem: String?) {
    let hidden = ["client_id", "redirect_uri", "scope", "response_type", "state"].compactMap {
      name in
      form[name].map {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(Self.escaped($0))\">"
      }
    }
    html = """
      <!DOCTYPE html><html lang="en"><head><title>Sign in</title></head><body>
      <h1>\(Self.escaped(library))</h1>
      \(problem.map { "<p role=\"alert\">\(Self.escaped($0))</p>" } ?? "")
      <form method="post" action="auth">\(hidden.joined())
      <label>Card <input name="username"></label>
      <label>PIN <input name="password" type="password"></label>
      <button name="allow" value="always">Allow</button>
      <button name="allow" value="once">Allow once</button>
      <button name="deny" value="1">Deny</button></form></body></html>
      """
  }

  static let refusal =
    "<!DOCTYPE html><html lang=\"en\"><head><title>Error</title></head>"
    + "<body><p>The application that sent you here is not known.</p></body></html>"

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { out, sign in
      switch sign {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      default: out.append(sign)
      }
    }
  }
}
