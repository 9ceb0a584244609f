import FrontDesk
import HTTP
import HTTPServer
import Markup
import Notices
import Phrasebook
import Registry
import Secrets

/// What happened lately, and where word of it goes besides: to a mailbox, a telephone, or nowhere.
struct NoticesPage: Sendable {
  let own: Own
  private let trouble: FormTrouble?
  private let medium: Carrier?
  private let key: Secret?

  static let path = OwnPaths.notices.print()

  init(_ own: Own) { self.init(own, nil, nil, nil) }

  init(_ own: Own, _ trouble: FormTrouble?, _ medium: Carrier?, _ key: Secret?) {
    (self.own, self.trouble, self.medium, self.key) = (own, trouble, medium, key)
  }

  func page() async throws(Problem) -> Page {
    let notices = own.stock.notices
    let (channels, inbox) = try await told { () throws(NoticeError) in
      (
        try await notices.channels(of: own.reader.patron),
        try await notices.inbox(of: own.reader.patron, onlyUnread: false)
      )
    }
    let point = own.reader.pass.span == .month ? (try? await notices.pushPoint()) : nil
    var page = own.setting(said("Notices")) {
      newKey
      heard(inbox)
      ways(channels)
      if let point { device(point) }
      for medium in [Carrier.email, .sms, .ntfy, .webhook] { adding(medium) }
    }
    if let trouble { page.notice = .alert(trouble.words) }
    return page
  }

  private var newKey: Node? {
    key.map { key in
      tag("section", .init("class", "once")) {
        tag("h2") { said("The key for signatures") }
        tag("p") { key.revealText { text in tag("code") { text } } }
        tag("p", .init("class", "small")) { said("It is shown this once.") }
      }
    }
  }

  private func heard(_ inbox: [InboxNotice]) -> Node {
    tag("section", .init("aria-labelledby", "inbox")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "inbox")) { said("In the app") }
        if inbox.contains(where: { $0.kept.readAt == nil }) {
          own.button(said("All read"), "read", at: Self.path, "plain")
        }
      }
      if inbox.isEmpty {
        tag("p", .init("class", "empty")) {
          said(
            """
            Nothing yet. Holds that are ready and loans that end are told here always, whatever \
            you choose below.
            """)
        }
      } else {
        tag("ul", .init("class", "lines")) {
          for notice in inbox.prefix(20) {
            tag("li", .init("class", notice.kept.readAt == nil ? "new" : nil)) {
              tag("span", .init("class", "title")) { notice.wording.title }
              tag("span", .init("class", "small")) {
                notice.wording.body
                " · \(Ago.words(notice.kept.toldAt, own.caller.now))"
                if notice.kept.readAt == nil { " · \(said("new"))" }
              }
            }
          }
        }
      }
    }
  }

  private func ways(_ channels: [Channel]) -> Node {
    tag("section", .init("aria-labelledby", "ways")) {
      tag("h2", .init("id", "ways")) { said("Besides, to") }
      if channels.isEmpty {
        tag("p", .init("class", "empty")) { said("Nowhere: you are told in the app alone.") }
      } else {
        tag("ul", .init("class", "lines")) {
          for channel in channels {
            tag("li") {
              tag("span", .init("class", "title")) {
                "\(Self.title(channel.medium)): \(channel.shown)"
              }
              tag("span", .init("class", "small")) {
                channel.offBecause.map { said("Switched off: \(said(known: $0))") }
                  ?? kinds(channel)
              }
              if !channel.isConfirmed { confirming(channel) }
              tag("div", .init("class", "actions")) {
                own.button(
                  channel.isConfirmed ? said("Send a test") : said("Send the code again"),
                  channel.isConfirmed ? "test" : "code", at: Self.path, unseen: channel.name,
                  [("name", channel.name)])
                own.button(
                  said("Remove"), "remove", at: Self.path, unseen: channel.name,
                  [("name", channel.name)])
              }
            }
          }
        }
      }
    }
  }

  private func confirming(_ channel: Channel) -> Node {
    own.form(Self.path, "fields") {
      hidden("do", "confirm")
      hidden("name", channel.name)
      FormField(Self.codeField(channel.name), said("The code that was sent there")) { field in
        (field.fill, field.mode, field.longest) = ("one-time-code", "numeric", 20)
        field.hint = said(
          "Not confirmed yet: until you type the code, nothing else is sent to this address.")
        if trouble?.field == field.name { field.wrong = trouble?.words }
      }.node
      tag("button", .init("class", "button"), .init("type", "submit")) { said("Confirm") }
    }
  }

  /// There may be several on the page.
  static func codeField(_ channel: String) -> String { "code-\(channel)" }

  private func kinds(_ channel: Channel) -> String {
    let all = NoticeKind.choosable
    let told = all.filter(channel.kinds.contains)
    var parts = told.count == all.count ? [said("Everything")] : told.map(\.words)
    if let quiet = channel.hours.quiet {
      parts.append(said("not from \(clock(quiet.start)) to \(clock(quiet.end))"))
    }
    parts.append(channel.tellsTitles ? said("with titles") : said("without titles"))
    return parts.joined(separator: ", ")
  }

  private func clock(_ minute: Int) -> String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minute / 60)):\(two(minute % 60))"
  }

  // MARK: - This device

  /// The script shows it where the browser can be told things, and fills in what that needs.
  private func device(_ point: String) -> Node {
    tag(
      "section", .init("aria-labelledby", "device"), .init("hidden", true),
      .init("data-push", point), .init("data-failed", Phrases.pushRefused)
    ) {
      tag("h2", .init("id", "device")) { Phrases.pushHeading }
      tag("p", .init("class", "small")) { Phrases.pushWhy }
      own.form(Self.path) {
        hidden("do", "device")
        for field in Carrier.push.fields { hidden(field.name, "") }
        tag("button", .init("class", "button"), .init("type", "submit")) { Phrases.pushHere }
      }
    }
  }

  // MARK: - A new way

  private func adding(_ medium: Carrier) -> Node {
    guard own.stock.notices.ways.has(medium) else {
      return tag("p", .init("class", "small")) {
        said("\(Self.title(medium)): whoever runs this gateway has not set it up.")
      }
    }
    let mine = self.medium == medium ? trouble : nil
    return tag("details", .init("class", "more-ways"), .init("open", mine != nil)) {
      tag("summary") { said("Add: \(Self.title(medium))") }
      own.form(Self.path, "fields") {
        hidden("do", "add")
        hidden("medium", medium.rawValue)
        for field in medium.fields {
          FormField("\(medium.rawValue)-\(field.name)", said(known: field.label)) { one in
            one.type = field.isSecret ? "password" : Self.type(field.name)
            one.fill = Self.fill(field.name)
            one.mode = field.name == "number" ? "tel" : nil
            (one.isRequired, one.longest) = (field.isRequired, 1000)
            if mine?.field == field.name { one.wrong = mine?.words }
          }.node
        }
        tag("fieldset") {
          tag("legend") { said("What is told there") }
          for kind in NoticeKind.choosable {
            check(
              "kind", kind.rawValue, kind.words, isOn: true, "\(medium.rawValue)-\(kind.rawValue)")
          }
        }
        tag("fieldset") {
          tag("legend") { said("Quiet hours") }
          tag("div", .init("class", "pair")) {
            FormField("\(medium.rawValue)-from", said("From")) { field in
              (field.type, field.isRequired) = ("time", false)
            }.node
            FormField("\(medium.rawValue)-to", said("Until")) { field in
              (field.type, field.isRequired) = ("time", false)
            }.node
          }
        }
        check("titles", "yes", said("Name the books"), isOn: false, "\(medium.rawValue)-titles")
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Add it") }
      }
    }
  }

  private func check(
    _ name: String, _ value: String, _ words: String, isOn: Bool, _ id: String
  ) -> Node {
    tag("label", .init("class", "choice"), .init("for", id)) {
      tag(
        "input", .init("id", id), .init("type", "checkbox"), .init("name", name),
        .init("value", value), .init("checked", isOn))
      " \(words)"
    }
  }

  private static func title(_ medium: Carrier) -> String {
    switch medium {
    case .email: said("E-mail")
    case .sms: said("Short message")
    case .ntfy: "ntfy"
    case .push: said("This browser")
    case .webhook: "Webhook"
    }
  }

  private static func type(_ field: String) -> String {
    switch field {
    case "number": "tel"
    case "server": "url"
    default: "text"
    }
  }

  private static func fill(_ field: String) -> String {
    switch field {
    case "address": "email"
    case "number": "tel"
    default: "off"
    }
  }
}

extension NoticeKind {
  /// For whoever chooses.
  fileprivate var words: String {
    switch self {
    case .wishAvailable: said("a wish can be had")
    case .holdReady: said("a hold is ready")
    case .holdExpiring: said("an offer ends soon")
    case .loanDue: said("a loan ends soon")
    case .syncBroken: said("a library cannot be asked")
    case .channelOff: said("a way was switched off")
    case .test: said("a test")
    }
  }
}
