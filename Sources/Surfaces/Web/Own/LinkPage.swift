import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Membership
import Phrasebook
import ProviderKit
import Secrets

/// What was wrong with what somebody typed: a sentence, and the field it is about.
struct FormTrouble: Error, Sendable, Hashable {
  let words: String
  var field: String?

  init(_ words: String, at field: String? = nil) { (self.words, self.field) = (words, field) }
}

/// The form that one library or service needs, as its provider tells.
struct LinkPage {
  /// The fields of a sign-in, under names that no other field has.
  struct Fields {
    let all: [ProviderListing.Field]
    let isPage: Bool
    static let prefix = "with-"

    init(_ way: SignInWay) {
      switch way {
      case .fields(let fields): (all, isPage) = (fields, false)
      case .page: (all, isPage) = ([], true)
      }
    }

    /// What is secret is never written into a page.
    func nodes(_ trouble: FormTrouble?, given: FormFields) -> [Node] {
      all.map { field in
        FormField(Self.prefix + field.name, said(known: field.label)) { one in
          one.type = field.isSecret ? "password" : field.name == "email" ? "email" : "text"
          one.fill =
            switch field.name {
            case "card": "username"
            case "email": "email"
            default: field.isSecret ? "current-password" : "off"
            }
          one.mode = field.name == "email" ? "email" : nil
          one.isRequired = field.isRequired
          one.longest = 500
          one.value = field.isSecret ? nil : given[Self.prefix + field.name]
          if let trouble, trouble.field == field.name { one.wrong = trouble.words }
        }.node
      }
    }

    /// What was typed, or which field was left out.
    func read(_ form: FormFields) -> Result<Credentials, FormTrouble> {
      var fields: [String: Secret] = [:]
      for field in all {
        let text = form[Self.prefix + field.name] ?? ""
        let plain = field.isSecret ? text : text.trimmed
        if plain.isEmpty {
          guard field.isRequired else { continue }
          return .failure(
            FormTrouble(said("\(said(known: field.label)): this is missing."), at: field.name))
        }
        fields[field.name] = Secret(plain)
      }
      return .success(Credentials(fields))
    }
  }

  private let own: Own
  private let form: FormFields
  private let library: LibraryID
  var trouble: FormTrouble?

  init(_ own: Own, _ form: FormFields) throws(Problem) {
    (self.own, self.form) = (own, form)
    guard let at = form["at"]?.trimmed, !at.isEmpty else {
      throw Problem(
        .notFound, code: "unknown_library", detail: said("No library was chosen."),
        remedy: said("Choose one under Cards."))
    }
    library = LibraryID(at)
  }

  func page() throws(Problem) -> Page {
    let houses = own.stock.enrollment.houses
    let way: SignInWay
    let described: ProviderKit.Library
    do throws(EnrollmentError) {
      described = try houses.library(library)
      way = try own.stock.enrollment.way(to: library)
    } catch {
      throw Problem(
        .notFound, code: "unknown_library", detail: said("There is no such library here."),
        remedy: said("Choose one under Cards, or give the whole address of its catalogue."))
    }
    let fields = Fields(way)
    let facts = houses.house(library)?.facts
    if facts?.patronsLink == false {
      throw Problem(
        .forbidden, code: "operator_links",
        detail: said("Only the operator of this gateway links cards of \(described.name)."))
    }
    let title = said("Add \(described.name)")
    var page = own.page(
      title, .accounts, under: (OwnPaths.accounts.print(), said("Cards and services"))
    ) {
      tag("h1") { title }
      tag("p", .init("class", "lead")) { lead(fields, described.name) }
      own.form(OwnPaths.newAccount.print(), "fields") {
        hidden("at", library.rawValue)
        fields.nodes(trouble, given: form)
        FormField("name", said("What you call it")) { field in
          field.isRequired = false
          field.longest = 40
          field.hint = said("A short word, such as city. Left empty, one is made.")
          field.value = form["name"]
          if trouble?.field == "name" { field.wrong = trouble?.words }
        }.node
        tag("button", .init("class", "button"), .init("type", "submit")) {
          fields.isPage ? said("Go to its page") : said("Link it")
        }
      }
      if let page = facts?.joining {
        tag("p") {
          "\(said("No card yet?")) "
          tag("a", .init("href", page), .init("rel", "noreferrer")) {
            said("Register with \(described.name)")
          }
        }
      }
    }
    if let words = trouble?.words { page.notice = .alert(words) }
    return page
  }

  private func lead(_ fields: Fields, _ name: String) -> String {
    if fields.isPage {
      return said(
        "You sign in on the page of \(name) itself; Carrel never sees your password there.")
    }
    if fields.all.isEmpty { return said("Nothing is needed: \(name) is open to everybody.") }
    return
      said(
        "What you type is tried at \(name) at once, kept sealed, and never shown in this form again."
      )
  }

  /// After a service's own page: the browser went there by a link, because a form may not lead away
  /// from this site.
  static func away(_ own: Own, _ visit: ProviderKit.SignInPage.Visit, _ name: String) -> Page {
    own.page(
      said("Sign in at \(name)"), .accounts,
      under: (OwnPaths.accounts.print(), said("Cards and services"))
    ) {
      tag("h1") { said("Sign in at \(name)") }
      tag("p", .init("class", "lead")) {
        said("The page opens now. When you have agreed there, it leads you back here by itself.")
      }
      tag("p") {
        tag(
          "a", .init("class", "button"), .init("href", visit.address.text),
          .init("rel", "noreferrer")
        ) { said("Open the page of \(name)") }
      }
      tag("details", .init("class", "more-ways")) {
        tag("summary") { said("It did not lead back") }
        own.form(OwnPaths.back.print(), "fields") {
          hidden("state", visit.request.state)
          FormField("pasted", said("The code it showed, or the address it ended at")) { field in
            field.longest = 2000
          }.node
          tag("button", .init("class", "button second"), .init("type", "submit")) { said("Go on") }
        }
      }
    }
  }

  /// The browser comes back by a link from elsewhere, which proves nothing of who sent it: the word in
  /// the address does, and one press here finishes it.
  static func back(_ own: Own) -> Page {
    let query = own.caller.query
    return own.page(
      said("Finish signing in"), .accounts,
      under: (OwnPaths.accounts.print(), said("Cards and services"))
    ) {
      tag("h1") { said("One more step") }
      tag("p", .init("class", "lead")) {
        query["error"] == nil && query["denied"] == nil
          ? said("The service has answered. Link the account with your books here?")
          : said("The service says that you did not agree.")
      }
      own.form(OwnPaths.back.print()) {
        // OAuth 1 names the visit by nothing but its token.
        hidden("state", query["state"] ?? "")
        hidden("answer", own.caller.request.head.rawQuery ?? "")
        tag("div", .init("class", "actions")) {
          tag("button", .init("class", "button"), .init("type", "submit")) { said("Link it") }
          tag(
            "a", .init("class", "button second"), .init("href", own.link(OwnPaths.accounts.print()))
          ) { said("Cancel") }
        }
      }
    }
  }
}

extension String {
  var trimmed: String {
    String(
      drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
