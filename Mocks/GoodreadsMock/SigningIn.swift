import HTTP
import HTTPServer
import JSON
import MockKit

/// The three steps to a token, in the older dialect: the way back is told with the page, and there
/// is no verifier.
extension Visit {
  private static let trialPeriod: Int64 = 3_600_000

  func requestToken(_ state: inout WorldState) throws(Refusal) -> Response {
    guard let signature = Signature(request) else { throw .signature }
    try check(signature, "", &state)
    let token = issue("trial", nil, &state)
    return keys(token)
  }

  func accessToken(_ state: inout WorldState) throws(Refusal) -> Response {
    guard let signature = Signature(request), let name = signature.token,
      let trial = state.tokens.valid(name, as: "trial", at: now)
    else { throw .signature }
    try check(signature, trial.note["secret"]?.string ?? "", &state)
    guard let card = state.tokens["consent \(name)"]?.card else { throw .signature }
    state.tokens.revoke(name)
    return keys(issue("goodreads", card, &state))
  }

  private func issue(_ kind: String, _ card: String?, _ state: inout WorldState) -> Tokens.Token {
    let secret = state.random.token(40)
    // What was granted does not end by itself.
    let life = kind == "trial" ? Self.trialPeriod : 3650 * LendingRules.day
    return state.tokens.issue(
      kind, library: library.id, card: card, note: ["secret": .string(secret)], length: 22,
      expires: now + life)
  }

  private func keys(_ token: Tokens.Token) -> Response {
    let fields: FormFields = [
      "oauth_token": token.text, "oauth_token_secret": token.note["secret"]?.string ?? "",
    ]
    return .text(fields.encoded, status: .ok)
  }

  // MARK: - The page

  func authorize(_ state: inout WorldState) -> Response {
    let form = request.method == .post ? request.form : request.query
    guard let name = form["oauth_token"],
      state.tokens.valid(name, as: "trial", at: now) != nil
    else { return XML.page("Unknown application", .notFound) }
    guard request.method == .post else { return consentPage(form, nil) }
    if form["deny"] != nil { return back(form, granted: false) }
    let card = form["username"] ?? ""
    do throws(LendingRefusal) {
      _ = try library.lending.signIn(card: card, pin: form["password"], at: now)
    } catch {
      return consentPage(form, "That email or password is wrong.")
    }
    state.tokens.keep(
      "consent \(name)", "consent", [:], card: card, until: now + Self.trialPeriod)
    return back(form, granted: true)
  }

  private func back(_ form: FormFields, granted: Bool) -> Response {
    guard let callback = form["oauth_callback"], !callback.isEmpty else {
      return XML.page("Return to the application, please", .ok)
    }
    let fields: FormFields = [
      "oauth_token": form["oauth_token"] ?? "", "authorize": granted ? "1" : "0",
    ]
    let sign = callback.contains("?") ? "&" : "?"
    return .redirect(to: callback + sign + fields.encoded, .found)
  }

  private func consentPage(_ form: FormFields, _ problem: String?) -> Response {
    let hidden = ["oauth_token", "oauth_callback"].compactMap { name in
      form[name].map {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(XML.escaped($0))\">"
      }
    }
    return .text(
      """
      <!DOCTYPE html><html lang="en"><head><title>Sign in to Goodreads</title></head><body>
      \(problem.map { "<p role=\"alert\">\($0)</p>" } ?? "")
      <form method="post" action="authorize">\(hidden.joined())
      <label>Card <input name="username"></label>
      <label>PIN <input name="password" type="password"></label>
      <button name="allow" value="1">Allow access</button>
      <button name="deny" value="1">Deny</button></form></body></html>
      """, .html)
  }
}
