import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Registry

/// What is shown where there is no network. It says nothing of anybody; the script fills in what this
/// device keeps.
enum OfflinePage {
  static let path = Path.root / "offline"

  static func view(_ links: SiteLinks, _ request: Request) -> Node {
    PageFrame(title: "\(Phrases.offline) · Carrel", links: links).page {
      tag("h1") { Phrases.offline }
      tag("p", .init("class", "lead")) { Phrases.offlineWhy }
      tag("p") {
        tag(
          "a", .init("class", "button"), .init("href", request.link(LobbyPaths.myBooks.print()))
        ) { Phrases.shelfAsSeen }
      }
      tag("section", .init("id", "kept"), .init("hidden", true)) {
        tag("h2") { Phrases.keptHere }
        tag("ul", .init("class", "list"))
      }
    }
  }
}

/// The way to keep a book on this device, beside the way to read it.
struct KeepButton {
  let caller: Caller

  /// `list` is the address that tells what belongs to the book. Nothing without script, or for a
  /// browser whose reader did not choose to stay signed in there: others use it, too.
  func node(_ list: String, _ title: String) -> Node? {
    guard caller.reader?.pass.span == .month else { return nil }
    return tag(
      "button", .init("type", "button"), .init("class", "button second"), .init("hidden", true),
      .init("data-keep", list), .init("data-title", title),
      .init("data-word-keep", Phrases.keepHere), .init("data-word-going", Phrases.keeping),
      .init("data-word-kept", Phrases.keptDrop), .init("data-word-failed", Phrases.keepFailed)
    ) { Phrases.keepHere }
  }
}

extension Lobby {
  /// What the script must know of whoever looks at a page: a name that says nothing, and whether the
  /// browser is theirs. What a device keeps goes when another one comes.
  func keeper(_ caller: Caller) -> PageFrame.Keeper? {
    caller.reader.map { reader in
      PageFrame.Keeper(
        name: String(signer.signature(of: "keeper", reader.patron.rawValue).prefix(16)),
        stays: reader.pass.span == .month)
    }
  }
}
