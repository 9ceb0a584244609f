package import HTTP
import Markup
import Phrasebook

/// A refusal for people: what it means and where to go, in the dress of every other page.
package struct ProblemPage: Sendable, Hashable {
  package let status: Status

  package init(_ status: Status) { self.status = status }

  var heading: String {
    switch status {
    case .notFound: said("There is nothing here")
    case .methodNotAllowed: said("This page cannot do that")
    case .tooManyRequests: said("A moment, please")
    default: status.code >= 500 ? said("Something went wrong here") : said("That did not work")
    }
  }

  var advice: String {
    switch status {
    case .notFound: said("The address may be old, or mistyped.")
    case .methodNotAllowed: said("Go back and try the button or link again.")
    case .tooManyRequests: said("Too many requests came from here. Wait a little and try again.")
    default:
      status.code >= 500
        ? said(
          "It is not your fault. Try again in a minute; if it stays, tell whoever runs this gateway."
        )
        : said("Go back and check what was entered.")
    }
  }

  func view(_ links: SiteLinks) -> Node {
    PageFrame(
      title: "\(heading) · Carrel", links: links
    ).page {
      tag("h1") { heading }
      tag("p", .init("class", "lead")) { advice }
      tag("p") {
        tag("a", .init("class", "button"), .init("href", links.home)) { said("To the start") }
      }
    }
  }
}
