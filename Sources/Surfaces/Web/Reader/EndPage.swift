import Books
import Catalog
import Chapters
import Circulation
import Covers
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Reading

/// Behind the last page: give it back, say how it was, or turn back.
enum EndPage {
  static func make(_ visit: ReaderVisit) async throws(Problem) -> Page {
    let stars = try? await visit.stock.annotations.rating(
      of: visit.known, by: visit.reader.patron)
    let cards = BookCards(visit.lobby, visit.caller)
    let library = visit.lobby.stock.nameOfLibrary(visit.loan.library)
    var page = Page(said("The end")) {
      tag("div", .init("class", "theend")) {
        cards.cover(visit.loan.entry, .large, .eager)
        tag("h1") { said("The end") }
        tag("p", .init("class", "lead")) { said("You have read “\(visit.title)”.") }
        tag("section") {
          tag("h2", .init("id", "rate")) { said("How was it?") }
          tag(
            "form", .init("method", "post"), .init("action", visit.link(ReaderPaths.book)),
            .init("class", "stars"), .init("aria-labelledby", "rate")
          ) {
            visit.hiddenFields("rate", nil)
            for star in 1...5 {
              tag(
                "button", .init("type", "submit"), .init("name", "stars"),
                .init("value", "\(star)"),
                .init("aria-pressed", star == stars ? "true" : "false"),
                .init("aria-label", counted(star, one: "\(star) star", many: "\(star) stars"))
              ) { star <= stars ?? 0 ? "★" : "☆" }
            }
          }
        }
        tag("div", .init("class", "actions")) {
          if visit.loan.loan.isReturnable {
            OffersView(cards, visit.loan.entry.work, .unknown).form(
              .init(deed: .giveBack, words: said("Return it")),
              BookKey(visit.loan.library, visit.loan.item), visit.reader, "button",
              ": \(library)")
          }
          if let last = visit.open.line.last {
            tag(
              "a", .init("class", "button second"), .init("rel", "prev"),
              .init("href", visit.link(section: last, ["at": "end"]))
            ) { said("Previous page") }
          }
          tag(
            "a", .init("class", "button second"),
            .init(
              "href",
              visit.caller.link(LobbyPaths.work.print(visit.loan.entry.work.rawValue)))
          ) { said("To the book’s page") }
        }
        tag("p", .init("class", "small")) {
          said("Your notes, your place and your stars stay when the book is returned.")
        }
      }
    }
    if visit.caller.query["did"] == "rate" { page.notice = .done(said("Your rating is kept.")) }
    return page
  }
}

/// Where a link leads that leads out of the book, before it is followed.
enum LeavePage {
  static func make(_ visit: ReaderVisit) throws(Problem) -> Page {
    let query = visit.caller.query
    // Only what a book of ours says: this page is no place to send people through.
    guard let address = query["to"], let word = query["word"],
      visit.signer.vouches(for: word, of: "leave", address)
    else {
      throw Problem(.badRequest, code: "bad_value", detail: said("This link is not from a book."))
    }
    return visit.page(said("Leave the book?")) {
      tag("p", .init("class", "lead")) { said("This link leads out of the book, to:") }
      tag("p") {
        tag("code", .init("class", "address")) { String(address.prefix(2_000)) }
      }
      tag("p") {
        tag(
          "a", .init("class", "button"), .init("href", address), .init("target", "_blank"),
          .init("rel", "noopener noreferrer nofollow"), .init("referrerpolicy", "no-referrer")
        ) { said("Open it in a new window") }
      }
    }
  }
}

/// What may be told of a book: its name and where it stands in the catalogue, never the file.
enum SharePage {
  static func make(_ visit: ReaderVisit) -> Page {
    let who = visit.authors.isEmpty ? "" : ", \(visit.authors.joined(separator: ", "))"
    let record = visit.caller.request.absoluteLink(
      LobbyPaths.work.print(visit.loan.entry.work.rawValue))
    let text = "“\(visit.title)”\(who)"
    let mail = FormFields([.init("subject", visit.title), .init("body", "\(text)\n\(record)\n")])
    return visit.page(said("Share")) {
      tag("p", .init("class", "lead")) { text }
      tag("p") { tag("code", .init("class", "address")) { record } }
      tag("div", .init("class", "actions")) {
        tag(
          "a", .init("class", "button"),
          .init("href", "mailto:?\(mail.encoded.replacing("+", with: "%20"))")
        ) { said("Send by mail") }
        tag(
          "a", .init("class", "button second"),
          .init(
            "href", visit.caller.link(LobbyPaths.work.print(visit.loan.entry.work.rawValue)))
        ) { said("Add to a list") }
      }
    }
  }
}
