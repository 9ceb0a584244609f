import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Secrets

/// Apps that sign in with a password of their own: who has one, a new one shown once, and taking one
/// back.
struct DevicesPage: Sendable {
  private let own: Own
  private let trouble: FormTrouble?
  private let new: (device: Device, password: Secret)?
  private static let path = OwnPaths.devices.print()

  init(_ own: Own) { self.init(own, nil, nil) }

  private init(
    _ own: Own, _ trouble: FormTrouble?, _ new: (device: Device, password: Secret)?
  ) {
    (self.own, self.trouble, self.new) = (own, trouble, new)
  }

  func page() async throws(Problem) -> Page {
    let devices = try await kept { () throws(RegistryError) in
      try await own.lobby.registry.devices(of: own.reader.patron)
    }
    var page = own.setting(said("Apps and devices")) {
      if let new { once(new.device, new.password) }
      if devices.isEmpty {
        tag("p", .init("class", "empty")) {
          said(
            """
            No app has a password of its own. With one, card and PIN never go there, and a lost \
            device is shut out alone.
            """)
        }
      } else {
        tag("ul", .init("class", "lines")) {
          for device in devices {
            tag("li") {
              tag("span", .init("class", "title")) { device.name }
              tag("span", .init("class", "small")) {
                let made = Ago.words(device.madeAt, own.caller.now)
                device.lastUsed.map { used in
                  said("made \(made), used \(Ago.words(used, own.caller.now))")
                } ?? said("made \(made), never used")
                " · \(may(device.scopes))"
              }
              own.button(
                said("Revoke"), "revoke", at: Self.path, unseen: device.name,
                [("name", device.name)])
            }
          }
        }
      }
      adding
    }
    if let trouble { page.notice = .alert(trouble.words) }
    return page
  }

  private func may(_ scopes: Set<Device.Scope>) -> String {
    let all = Device.Scope.allCases.filter(scopes.contains).map(\.sentence)
    return said("may \(all.joined(separator: ", "))")
  }

  private func once(_ device: Device, _ password: Secret) -> Node {
    tag("section", .init("class", "once"), .init("role", "status")) {
      tag("h2") { said("The password for \(device.name)") }
      password.revealText { text in tag("p", .init("class", "number")) { text } }
      tag("p", .init("class", "small")) {
        said("User name: \(own.reader.pass.owner). It is shown this once: put it into the app now.")
      }
      tag("p", .init("class", "small")) {
        "\(said("Catalogue")): "
        tag("code") { own.caller.request.absoluteLink("/opds") }
      }
    }
  }

  private var adding: Node {
    tag("section", .init("aria-labelledby", "add")) {
      tag("h2", .init("id", "add")) { said("A password for another app") }
      own.form(Self.path, "fields") {
        hidden("do", "add")
        FormField("name", said("Name of the app or device")) { field in
          field.longest = 40
          field.hint = said("Letters, digits, - and _ only, such as phone or e-reader.")
          if trouble?.field == "name" { field.wrong = trouble?.words }
        }.node
        tag("fieldset") {
          tag("legend") { said("It may") }
          for scope in Device.Scope.allCases {
            tag("label", .init("class", "choice")) {
              tag(
                "input", .init("type", "checkbox"), .init("name", "scope"),
                .init("value", scope.rawValue), .init("checked", true))
              " \(scope.sentence)"
            }
          }
        }
        tag("button", .init("class", "button"), .init("type", "submit")) { said("Make a password") }
      }
    }
  }

  func carry(_ form: FormFields) async throws(Problem) -> FormEnd {
    let (registry, patron) = (own.lobby.registry, own.reader.patron)
    let request = own.caller.request.id.description
    let name = (form["name"] ?? "").trimmed
    switch form["do"] {
    case "revoke":
      do throws(RegistryError) {
        try await registry.revokeDevice(named: name, of: patron, request: request)
      } catch {
        guard case .noSuchDevice = error else {
          throw Refusals.unread(said("Nothing can be written now."))
        }
      }
      return .onward(Self.path, ["did": OwnDeed.removed.rawValue])
    case "add":
      let scopes = Set(form.all("scope").compactMap { Device.Scope(rawValue: $0) })
      guard !scopes.isEmpty else {
        return .page(
          try await DevicesPage(own, FormTrouble(said("Choose what it may do.")), nil).page(),
          .unprocessableContent)
      }
      do throws(RegistryError) {
        let new = try await registry.addDevice(
          named: name, of: patron, scopes: scopes, request: request)
        return .page(try await shown(DevicesPage(own, nil, new)))
      } catch {
        let words: String
        switch error {
        case .badName: words = said("A name has letters, digits, - and _ only.")
        case .deviceNameTaken: words = said("Another of your devices is called \(name).")
        case .tooManyDevices(let most):
          words = said(
            "You have \(most) app passwords: this gateway stores no more. Revoke one first.")
        default: throw Refusals.unread(said("Nothing can be written now."))
        }
        return .page(
          try await DevicesPage(own, FormTrouble(words, at: "name"), nil).page(),
          .unprocessableContent)
      }
    default: throw incompleteForm
    }
  }

  /// In the registry's terms, so that the password that was just made is not lost on the way.
  private func shown(_ page: DevicesPage) async throws(RegistryError) -> Page {
    do throws(Problem) { return try await page.page() } catch {
      return Page.refusal(error, own.caller)
    }
  }

  private func kept<T: Sendable>(
    _ body: () async throws(RegistryError) -> T
  ) async throws(Problem) -> T {
    do throws(RegistryError) { return try await body() } catch {
      throw Refusals.unread(said("Your devices cannot be read."))
    }
  }
}

extension Device.Scope {
  fileprivate var sentence: String {
    switch self {
    case .read: said("see the catalogue and your shelf")
    case .lend: said("borrow, hold and return")
    case .lists: said("see and change your lists")
    case .sync: said("keep your place in books")
    }
  }
}
