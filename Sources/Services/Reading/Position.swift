import Circulation
package import Database

/// How far a reader is in a document, as one device told it.
package struct Position: Sendable, Hashable {
  /// What the device calls the document: the digest of a file, or a work of ours.
  package let document: String
  /// From 0 to 1.
  package let progress: Double
  /// Where that is, in the device's own notation.
  package let place: String
  package let device: String
  package let deviceID: String
  package let title: String?
  /// When the device was there, in milliseconds since 1970.
  package let at: Int64

  package init(
    document: String, progress: Double, place: String, device: String, deviceID: String,
    title: String? = nil, at: Int64
  ) {
    (self.document, self.progress, self.place) = (document, progress, place)
    (self.device, self.deviceID, self.title, self.at) = (device, deviceID, title, at)
  }

  /// Whether it is one that a reading app may send.
  package var isSound: Bool {
    let texts = [document, place, device, deviceID, title ?? ""]
    return !document.isEmpty && document.utf8.count <= 256 && place.utf8.count <= 4_096
      && device.utf8.count <= 256 && deviceID.utf8.count <= 256 && (title?.utf8.count ?? 0) <= 2_000
      && progress.isFinite && (0...1).contains(progress)
      && texts.allSatisfy { !$0.utf8.contains(0) }
  }
}

package enum PositionError: Error, Sendable, Hashable {
  case database(DatabaseError)
  /// No app means what it sent.
  case unsound
  /// A device was elsewhere in the book after that.
  case older(than: Position)
}
