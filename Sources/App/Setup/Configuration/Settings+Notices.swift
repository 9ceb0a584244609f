import Arguments

extension Settings {
  enum Notices {
    static let loanDue = Setting(
      "notices.loan_due", .time("1h", "30d"), default: "3d",
      "How long before it ends a loan is told of.",
      why: "Raise it for readers who need longer to finish, or to renew.")
    static let offerEnds = Setting(
      "notices.offer_ends", .time("1h", "30d"), default: "1d",
      "How long before it ends an offer that nobody took is told of again.",
      why: "Lower it where offers are open for hours only.")
    static let syncBroken = Setting(
      "notices.sync_broken", .time("1h", "30d"), default: "1d",
      "How long a card's library may fail to answer before its reader is told.",
      why: "Raise it for a library that is often away for a night.")
    static let smsMail = Setting(
      optional: "notices.sms_mail", .line, example: "{number}@sms.example.net",
      "The mail address that becomes a short message; {number} stands for the digits.",
      why: "Where your provider turns mails into short messages. It needs mail.server.")
    static let smsURL = Setting(
      optional: "notices.sms_url", .webAddress, example: "https://sms.example.net/send",
      "Where short messages are posted to; it counts more than notices.sms_mail.",
      why: "Where your provider takes short messages over HTTP.")
    static let smsBody = Setting(
      "notices.sms_body", .line, default: "to={to}&text={text}",
      "What is posted: {to}, {text} and {id} are filled in, as JSON where it begins with a brace.",
      why: "Each provider names the fields in its own way.")
    static let smsKeyFile = Setting(
      optional: "notices.sms_key_file", .path, example: "/etc/carrel/sms-key",
      "A file that holds the value of the Authorization header for it.",
      why: "Most providers take messages only from who pays for them.")
    static let smsPerDay = Setting(
      "notices.sms_per_day", .integer(0...1_000_000), default: "500",
      "How many short messages are sent in a day (UTC), over all gateways; with 0 none is sent.",
      why: "Each costs money. Codes, tests and repeated attempts count; one patron gets 30 a day.")

    static let all: [SettingSpec] = [
      loanDue.spec, offerEnds.spec, syncBroken.spec, smsMail.spec, smsURL.spec, smsBody.spec,
      smsKeyFile.spec, smsPerDay.spec,
    ]
  }
}
