extension Phrases {
  static let offline = "You are offline"
  static let offlineWhy =
    "Carrel cannot be reached just now. What you kept on this device can be read all the same."
  static let shelfAsSeen = "My books, as last seen"
  static let keptHere = "Kept on this device"
  static let stale = "You are offline. This page is as it was last seen:"
  static let keepHere = "Keep for offline"
  static let keeping = "Keeping…"
  static let keptDrop = "Kept for offline — remove"
  static let keepFailed =
    "The book could not be kept: the network went away, or there is no room on this device."
}
