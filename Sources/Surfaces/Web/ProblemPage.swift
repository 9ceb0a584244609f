package import HTTP
import Markup

/// A refusal for people: what it means and where to go, in the dress of every other page.
package struct ProblemPage: Sendable, Hashable {
  package let status: Status

  package init(_ status: Status) { self.status = status }

  var heading: String {
    switch status {
    case .notFound: "There is nothing here"
    case .methodNotAllowed: "This page cannot do that"
    case .tooManyRequests: "A moment, please"
    default: status.code >= 500 ? "Something went wrong here" : "That did not work"
    }
  }

  var advice: String {
    switch status {
    case .notFound: "The address may be old, or mistyped."
    case .methodNotAllowed: "Go back and try the button or link again."
    case .tooManyRequests: "Too many requests came from here. Wait a little and try again."
    default:
      status.code >= 500
        ? "It is not your fault. Try again in a minute; if it stays, tell whoever runs this gateway."
        : "Go back and check what was entered."
    }
  }

  func view(_ links: SiteLinks) -> Node {
    PageFrame(
      title: "\(heading) · Carrel", language: "en", links: links
    ).page {
      tag("h1") { heading }
      tag("p", .init("class", "lead")) { advice }
      tag("p") { tag("a", .init("class", "button"), .init("href", links.home)) { "To the start" } }
    }
  }
}
