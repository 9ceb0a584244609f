import FrontDesk
import HTTP
import HTTPServer
import Markup
import Notices
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
    var page = own.setting("Notices") {
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
        tag("h2") { "The key for signatures" }
        tag("p") { key.revealText { text in tag("code") { text } } }
        tag("p", .init("class", "small")) { "It is shown this once." }
      }
    }
  }

  private func heard(_ inbox: [InboxNotice]) -> Node {
    tag("section", .init("aria-labelledby", "inbox")) {
      tag("div", .init("class", "head")) {
        tag("h2", .init("id", "inbox")) { "In the app" }
        if inbox.contains(where: { $0.kept.readAt == nil }) {
          own.button("All read", "read", at: Self.path, "plain")
        }
      }
      if inbox.isEmpty {
        tag("p", .init("class", "empty")) {
          "Nothing yet. Holds that are ready and loans that end are told here always, whatever you "
          "choose below."
        }
      } else {
        tag("ul", .init("class", "lines")) {
          for notice in inbox.prefix(20) {
            tag("li", .init("class", notice.kept.readAt == nil ? "new" : nil)) {
              tag("span", .init("class", "title")) { notice.wording.title }
              tag("span", .init("class", "small")) {
                notice.wording.body
                " · \(Ago.words(notice.kept.toldAt, own.caller.now))"
                if notice.kept.readAt == nil { " · new" }
              }
            }
          }
        }
      }
    }
  }

  private func ways(_ channels: [Channel]) -> Node {
    tag("section", .init("aria-labelledby", "ways")) {
      tag("h2", .init("id", "ways")) { "Besides, to" }
      if channels.isEmpty {
        tag("p", .init("class", "empty")) { "Nowhere: you are told in the app alone." }
      } else {
        tag("ul", .init("class", "lines")) {
          for channel in channels {
            tag("li") {
              tag("span", .init("class", "title")) {
                "\(Self.title(channel.medium)): \(channel.shown)"
              }
              tag("span", .init("class", "small")) {
                channel.offBecause.map { "Switched off: \($0)" } ?? kinds(channel)
              }
              tag("div", .init("class", "actions")) {
                own.button(
                  "Send a test", "test", at: Self.path, unseen: "to \(channel.name)",
                  [("name", channel.name)])
                own.button(
                  "Remove", "remove", at: Self.path, unseen: channel.name, [("name", channel.name)])
              }
            }
          }
        }
      }
    }
  }

  private func kinds(_ channel: Channel) -> String {
    let all = NoticeKind.choosable
    let told = all.filter(channel.kinds.contains)
    let what = told.count == all.count ? "Everything" : told.map(\.words).joined(separator: ", ")
    let quiet = channel.hours.quiet.map { ", not from \(clock($0.start)) to \(clock($0.end))" }
    return what + (quiet ?? "") + (channel.tellsTitles ? ", with titles" : ", without titles")
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
        "\(Self.title(medium)): whoever runs this gateway has not set it up."
      }
    }
    let mine = self.medium == medium ? trouble : nil
    return tag("details", .init("class", "more-ways"), .init("open", mine != nil)) {
      tag("summary") { "Add: \(Self.title(medium))" }
      own.form(Self.path, "fields") {
        hidden("do", "add")
        hidden("medium", medium.rawValue)
        for field in medium.fields {
          FormField("\(medium.rawValue)-\(field.name)", field.label) { one in
            one.type = field.isSecret ? "password" : Self.type(field.name)
            one.fill = Self.fill(field.name)
            one.mode = field.name == "number" ? "tel" : nil
            (one.isRequired, one.longest) = (field.isRequired, 1000)
            if mine?.field == field.name { one.wrong = mine?.words }
          }.node
        }
        tag("fieldset") {
          tag("legend") { "What is told there" }
          for kind in NoticeKind.choosable {
            check(
              "kind", kind.rawValue, kind.words, isOn: true, "\(medium.rawValue)-\(kind.rawValue)")
          }
        }
        tag("fieldset") {
          tag("legend") { "Quiet hours" }
          tag("div", .init("class", "pair")) {
            FormField("\(medium.rawValue)-from", "From") { field in
              (field.type, field.isRequired) = ("time", false)
            }.node
            FormField("\(medium.rawValue)-to", "Until") { field in
              (field.type, field.isRequired) = ("time", false)
            }.node
          }
        }
        check("titles", "yes", "Name the books", isOn: false, "\(medium.rawValue)-titles")
        tag("button", .init("class", "button"), .init("type", "submit")) { "Add it" }
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
    case .email: "E-mail"
    case .sms: "Short message"
    case .ntfy: "ntfy"
    case .push: "This browser"
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
    case .wishAvailable: "a wish can be had"
    case .holdReady: "a hold is ready"
    case .holdExpiring: "an offer ends soon"
    case .loanDue: "a loan ends soon"
    case .syncBroken: "a library cannot be asked"
    case .channelOff: "a way was switched off"
    case .test: "a test"
    }
  }
}
