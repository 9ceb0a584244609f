import HTTPServer

/// Where a reader's own pages are.
enum OwnPaths {
  static let profile = Path.root / "profile"
  static let picture = profile / "picture"
  static let card = profile / "cards" / .text("account")
  static let bars = profile / "cards" / .text("account") / "bars.svg"

  static let accounts = Path.root / "accounts"
  static let newAccount = accounts / "new"
  /// Where a service's own sign-in page sends its readers.
  static let back = accounts / "back"
  static let account = accounts / "of" / .text("account")
  static let unlink = accounts / "of" / .text("account") / "unlink"

  static let settings = Path.root / "settings"
  static let notices = settings / "notices"
  static let reading = settings / "reading"
  static let genres = settings / "genres"
  static let ignored = settings / "ignored"
  static let devices = settings / "devices"
  static let sessions = settings / "sessions"
  static let codes = settings / "codes"
  static let calendar = settings / "calendar"
  static let feedback = settings / "feedback"
  static let export = settings / "export"
  static let exported = settings / "export" / .text("what")
  static let credits = settings / "credits"
}
