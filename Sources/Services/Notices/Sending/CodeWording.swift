import Phrasebook

/// The message with a code. A stranger may get it, so it says what it is about, and nothing in it is a
/// patron's: it carries no text that an attacker chose.
enum CodeWording {
  static func mail(_ digits: String, site: String) -> String {
    [
      said("Your code is \(digits)"),
      said(
        """
        A patron of the library gateway Carrel at \(site) asked for notifications at this address. \
        If that was you, type the code there, under Notices. It is valid for 24 hours.
        """),
      said(
        """
        If it was not you, ignore this message. Without the code, no notifications are sent here.
        """),
    ].joined(separator: "\n\n")
  }

  /// One part of a short message. The code stands first: a long address of the gateway is cut off.
  static func short(_ digits: String, site: String?) -> String {
    let place = site.map { Message.plain($0.replacing("https://", with: "")) } ?? "Carrel"
    let text = Message.plain(
      said("\(digits) is your code for notifications from \(place). Not you? Ignore this message."))
    return String(text.prefix(160))
  }
}
