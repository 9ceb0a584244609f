import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Profiles
import Registry

/// A letter to whoever runs the gateway.
struct FeedbackPage: Sendable {
  private let own: Own
  private let given: FormFields
  private let trouble: FormTrouble?
  private static let path = OwnPaths.feedback.print()

  init(_ own: Own) { self.init(own, FormFields(), nil) }

  private init(_ own: Own, _ given: FormFields, _ trouble: FormTrouble?) {
    (self.own, self.given, self.trouble) = (own, given, trouble)
  }

  func page() async throws(Problem) -> Page {
    var page = own.setting(said("Feedback")) {
      tag("p", .init("class", "lead")) {
        said("What works, what does not, what is missing: whoever runs this gateway reads it.")
      }
      own.form(Self.path, "fields") {
        tag("div", .init("class", "field")) {
          tag("label", .init("for", "text")) { said("Your message") }
          tag(
            "textarea", .init("id", "text"), .init("name", "text"), .init("rows", 6),
            .init("required", true), .init("maxlength", Profiles.longestFeedback),
            .init("aria-invalid", trouble?.field == "text" ? "true" : nil),
            .init("aria-describedby", trouble?.field == "text" ? "text-wrong" : nil)
          ) { given["text"] ?? "" }
          if trouble?.field == "text" {
            tag("p", .init("class", "wrong"), .init("id", "text-wrong")) { trouble?.words ?? "" }
          }
        }
        FormField("email", said("Your e-mail address")) { field in
          (field.type, field.fill, field.mode) = ("email", "email", "email")
          (field.isRequired, field.value) = (false, given["email"])
          field.hint = said("Only if you would like an answer.")
          if trouble?.field == "email" { field.wrong = trouble?.words }
        }.node
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Send") }
      }
    }
    if let trouble { page.notice = .alert(trouble.words) }
    return page
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    let text = (form["text"] ?? "").replacing("\r\n", with: "\n").replacing("\0", with: "").trimmed
    let email = (form["email"] ?? "").trimmed
    guard !text.isEmpty, text.utf8.count <= Profiles.longestFeedback * 4,
      text.count <= Profiles.longestFeedback
    else {
      return try await again(
        form,
        FormTrouble(
          text.isEmpty ? said("The message is empty.") : said("The message is too long."),
          at: "text"))
    }
    guard email.isEmpty || Self.isAddress(email) else {
      return try await again(form, FormTrouble(said("That is no e-mail address."), at: "email"))
    }
    let (profiles, reader) = (own.stock.profiles, own.reader.pass)
    do throws(DatabaseError) {
      let left = try await profiles.leave(
        text, answerTo: email.isEmpty ? nil : email, of: reader.patron)
      guard let left else {
        return try await tomorrow(form)
      }
      if await own.stock.tellOperator(left, reader.owner) { try await profiles.noteMailed(left) }
    } catch {
      throw Refusals.unread(said("Nothing can be written now."))
    }
    return .onward(Self.path, ["did": OwnDeed.told.rawValue])
  }

  private func again(_ form: FormFields, _ trouble: FormTrouble) async throws(Problem) -> FormEnd {
    .page(try await FeedbackPage(own, form, trouble).page(), .unprocessableContent)
  }

  private func tomorrow(_ form: FormFields) async throws(DatabaseError) -> FormEnd {
    do throws(Problem) {
      let trouble = FormTrouble(said("That is enough for one day. Please write again tomorrow."))
      return .page(try await FeedbackPage(own, form, trouble).page(), .tooManyRequests)
    } catch {
      return .page(Page.refusal(error, own.caller), error.status)
    }
  }

  /// What a mail program would take without quotes.
  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && text.utf8.count <= 254
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"<>\"(),;:\\".utf8.contains($0) }
  }
}
