import FrontDesk
import HTTPServer
import Markup
import Phrasebook

/// Below every page: the colors, the keys, and what the script asks with.
struct FrameFoot {
  let caller: Caller

  init(_ caller: Caller) { self.caller = caller }

  @Children var nodes: [Node] {
    tag("div", .init("class", "foot")) {
      looks
      tongues
      tag(
        "button", .init("class", "plain"), .init("type", "button"), .init("data-help", true),
        .init("hidden", true)
      ) { Phrases.keyHelp }
    }
    keys
    if caller.reader != nil { ignoring }
  }

  private var looks: Node {
    let chosen = Look(caller.request)
    return tag(
      "form", .init("class", "looks"), .init("method", "post"),
      .init("action", caller.link(Look.path.print())), .init("aria-label", Phrases.lookHeading)
    ) {
      hidden(Onward.field, caller.hereAgain)
      for look in Look.allCases {
        tag(
          "button", .init("class", "plain"), .init("name", "look"), .init("value", look.rawValue),
          .init("aria-pressed", look == chosen ? "true" : "false")
        ) { Phrases.look(look) }
      }
    }
  }

  private var tongues: Node {
    let chosen = Tongue.chosen(caller.request)
    return tag(
      "form", .init("class", "looks"), .init("method", "post"),
      .init("action", caller.link(Tongue.path.print())), .init("aria-label", Phrases.tongueHeading)
    ) {
      hidden(Onward.field, caller.hereAgain)
      tongue(Phrases.asTheDevice, Phrases.tongueOfTheDevice, nil, isChosen: chosen == nil)
      for tongue in Tongue.allCases {
        self.tongue(tongue.rawValue, tongue.name, tongue, isChosen: tongue == chosen)
      }
    }
  }

  private func tongue(
    _ value: String, _ words: String, _ tongue: Tongue?, isChosen: Bool
  ) -> Node {
    tag(
      "button", .init("class", "plain"), .init("name", "tongue"), .init("value", value),
      .init("lang", tongue == .current ? nil : tongue?.rawValue),
      .init("aria-pressed", isChosen ? "true" : "false")
    ) { words }
  }

  /// Closed, and opened by the script alone: without it there are no such keys.
  private var keys: Node {
    tag("dialog", .init("id", "keys"), .init("aria-labelledby", "keys-title")) {
      tag("h2", .init("id", "keys-title")) { Phrases.keyHelp }
      tag("dl") {
        for line in Phrases.keys {
          tag("div") {
            tag("dt") { for key in line.keys { tag("kbd") { key } } }
            tag("dd") { line.does }
          }
        }
      }
      tag("label", .init("class", "choice")) {
        tag("input", .init("type", "checkbox"))
        Phrases.keysAreOn
      }
      tag("form", .init("method", "dialog")) {
        tag("button", .init("class", "button")) { Phrases.close }
      }
    }
  }

  private var ignoring: Node {
    tag(
      "dialog", .init("id", "ignoring"), .init("aria-labelledby", "ignoring-title"),
      .init("data-done", Phrases.done(.ignore)), .init("data-undo", Phrases.undo),
      .init("data-failed", Phrases.failed)
    ) {
      tag("h2", .init("id", "ignoring-title")) {
        Phrases.ignoreQuestion([tag("q")])
      }
      tag("p", .init("class", "small")) { Phrases.ignoreWhy }
      tag("form", .init("method", "dialog"), .init("class", "actions")) {
        tag("button", .init("class", "button"), .init("value", "yes")) { Phrases.ignoreYes }
        tag(
          "button", .init("class", "button second"), .init("value", "no"), .init("autofocus", true)
        ) { Phrases.cancel }
      }
    }
  }
}
