import Downloads
import FrontDesk
import HTTP
import HTTPServer
import Items
import Markup
import Registry

/// Downloads that are not finished, each with how far it is and what can be done about it.
struct QueueView {
  let lobby: Lobby
  let caller: Caller
  let reader: Caller.Reader

  /// Nil where nothing is under way. A script that follows it asks for the same page again.
  func section(_ tickets: [Ticket]) -> Node? {
    let open = tickets.filter { $0.state != .done }
    guard !open.isEmpty else { return nil }
    let isLive = open.contains(where: \.moves)
    return tag(
      "section", .init("id", "queue"), .init("aria-labelledby", "queue-title"),
      .init("data-live", isLive ? caller.link(caller.hereAgain) : nil)
    ) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "queue-title")) { Phrases.downloads }
        tag("a", .init("class", "more"), .init("href", caller.link(caller.hereAgain))) {
          Phrases.refresh
        }
      }
      tag("ul", .init("class", "queue")) { for ticket in open { line(ticket, open) } }
    }
  }

  private func line(_ ticket: Ticket, _ all: [Ticket]) -> Node {
    tag("li", .init("id", "ticket-\(ticket.id)"), .init("data-state", ticket.state.rawValue)) {
      tag("p", .init("class", "title")) { ticket.wish.title }
      if ticket.state == .running || ticket.received > 0 { bar(ticket) }
      tag("p", .init("class", "state")) {
        Phrases.state(ticket, after: all.filter { $0.state == .queued }.firstIndex(of: ticket) ?? 0)
      }
      tag(
        "form", .init("class", "actions"), .init("method", "post"),
        .init("action", caller.link(LobbyPaths.queue.print()))
      ) {
        lobby.sealed(reader)
        hidden("ticket", String(ticket.id))
        hidden("from", caller.hereAgain)
        for deed in ticket.deeds {
          tag(
            "button", .init("class", "button second"), .init("name", "do"),
            .init("value", deed.rawValue)
          ) {
            Phrases.deed(deed)
            tag("span", .init("class", "unseen")) { ": \(ticket.wish.title)" }
          }
        }
      }
    }
  }

  /// Without a length it only shows that something moves.
  private func bar(_ ticket: Ticket) -> Node {
    let share = ticket.total.map { $0 > 0 ? min(100, ticket.received * 100 / $0) : 0 }
    return tag(
      "progress", .init("max", 100), .init("value", share), .init("aria-label", ticket.wish.title))
  }
}

/// The line on a page of its own.
enum QueuePage {
  static func make(_ lobby: Lobby, _ caller: Caller) async throws(Problem) -> Page {
    guard let reader = caller.reader else { throw Lobby.unsealed }
    let tickets = try await lobby.tickets(of: reader)
    return Page(Phrases.downloads, .myBooks) {
      tag("p", .init("class", "back")) {
        tag("a", .init("href", caller.link(LobbyPaths.myBooks.print()))) { Phrases.myBooks }
      }
      tag("h1") { Phrases.downloads }
      QueueView(lobby: lobby, caller: caller, reader: reader).section(tickets)
        ?? tag("p", .init("class", "empty"), .init("id", "queue")) { Phrases.noDownloads }
    }
  }
}

extension Ticket {
  /// Whether it goes on by itself.
  fileprivate var moves: Bool { state == .running || state == .queued || willBeTriedAgain }

  fileprivate var deeds: [Lobby.QueueDeed] {
    switch state {
    case .queued: nextAt == nil ? [.pause, .cancel] : [.retry, .pause, .cancel]
    case .running: [.pause, .cancel]
    case .paused: [.resume, .cancel]
    case .failed: willBeTriedAgain ? [.retry, .pause, .cancel] : [.retry]
    case .done: []
    }
  }
}
