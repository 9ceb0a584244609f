import Phrasebook

extension Phrases {
  static var offline: String { said("You are offline") }
  static var offlineWhy: String {
    said(
      "Carrel cannot be reached just now. What you kept on this device can be read all the same.")
  }
  static var shelfAsSeen: String { said("My books, as last seen") }
  static var keptHere: String { said("Kept on this device") }
  static var stale: String { said("You are offline. This page is as it was last seen:") }
  static var keepHere: String { said("Keep for offline") }
  static var keeping: String { said("Keeping…") }
  static var keptDrop: String { said("Kept for offline — remove") }
  static var keepFailed: String {
    said("The book could not be kept: the network went away, or there is no room on this device.")
  }
}
