import Arguments

extension Settings {
  enum Mail {
    static let server = Setting(
      optional: "mail.server", .host, example: "smtp.example.org",
      "The host that takes our mail; unset, no mail is sent.",
      why: "Readers get notices of holds and due dates by mail only with it.")
    static let port = Setting(
      "mail.port", .integer(1...65535), default: "587",
      "The port of the mail server.",
      why: "465 goes with mail.security tls, 25 with a relay of your own.")
    static let security = Setting(
      "mail.security", .choice("MODE") as Kind<Configuration.Mail.Security>, default: "starttls",
      "How the connection is protected.",
      why: "Set tls for port 465; none only for a relay on this machine.")
    static let from = Setting(
      optional: "mail.from", .mailAddress, example: "carrel@example.org",
      "The sender that readers see; needed with mail.server.",
      why: "Answers go there: use an address that somebody reads.")
    static let username = Setting(
      optional: "mail.username", .line, example: "carrel@example.org",
      "The name to sign in with at the mail server.",
      why: "Most servers take mail for other hosts only after sign-in.")
    static let passwordFile = Setting(
      optional: "mail.password_file", .path, example: "/etc/carrel/mail-password",
      "A file that holds the password for it.",
      why: "Passwords stay out of this file, which many programs may read.")

    static let all: [SettingSpec] = [
      server.spec, port.spec, security.spec, from.spec, username.spec, passwordFile.spec,
    ]
  }
}
