import JSON
import Phrasebook

/// What the script of the reader says, handed over with the page, so that one script speaks all tongues.
enum ReaderWords {
  static var json: JSONValue {
    let (one, two, three, four) = ("{0}", "{1}", "{2}", "{3}")
    let words: [(String, String)] = [
      ("previous", said("Previous")), ("next", said("Next")), ("end", said("End")),
      ("previousPage", said("Previous page")), ("nextPage", said("Next page")),
      ("of", said("\(one) of \(two)")),
      ("here", said("Page \(one) of \(two) here; \(three) of \(four)")),
      ("unshown", said("This section cannot be shown now.")),
      ("damaged", said("This section is damaged; some of it may be missing.")),
      ("marked", said("Bookmarked")), ("unmarked", said("Bookmark removed")),
      ("kept", said("Kept.")), ("unkept", said("That could not be kept.")),
      ("removed", said("Removed.")), ("unremoved", said("That could not be removed.")),
      ("copied", said("Copied.")), ("uncopied", said("That could not be copied.")),
      ("note", said("Note")), ("remove", said("Remove")), ("keep", said("Keep")),
      ("copy", said("Copy")), ("share", said("Share")), ("close", said("Close")),
      ("selected", said("The words that are selected")), ("aloud", said("Read aloud")),
      ("fast", said("How fast")), ("pause", said("Pause")),
      ("unplayed", said("The recording cannot be played.")),
    ]
    let colors = ReaderDeeds.colors.map { color in
      JSONObject.Member(color, .string(said("Highlight in \(said(known: color))")))
    }
    let members = words.map { JSONObject.Member($0, .string($1)) }
    return .object(JSONObject(members + [.init("colors", .object(JSONObject(colors)))]))
  }
}
