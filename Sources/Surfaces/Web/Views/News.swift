import Circulation
import FrontDesk
import HTTP

extension Page.Notice {
  /// What was just done, by the words of the address: they choose a sentence and add nothing to it.
  init?(_ query: FormFields, _ lobby: Lobby) {
    guard let did = query["did"] else { return nil }
    let library = query["at"].map { LibraryID($0) }.flatMap { id in
      lobby.stock.libraries.contains(id) ? lobby.stock.nameOfLibrary(id) : nil
    }
    if let deed = BookDeed(rawValue: did), let words = Phrases.done(deed) {
      if let undo = deed.undo, let work = query["of"], work.utf8.count <= 500 {
        self = .undoable(words, Page.Undo(work: work, deed: undo))
      } else {
        self = .done(words)
      }
      return
    }
    guard let kind = Deed.Kind(rawValue: did), let library else { return nil }
    self = .done(Deed(kind).words(library) + ".")
  }
}

extension BookDeed {
  /// What takes it back, where that needs nothing more than the work.
  fileprivate var undo: BookDeed? {
    switch self {
    case .ignore: .unignore
    case .unignore: .ignore
    case .save: .unsave
    case .unsave: .save
    default: nil
    }
  }
}
