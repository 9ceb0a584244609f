import Arguments
import TextSafety

/// The annotated settings file: every setting, its default, and why one would change it. The file
/// in `config/` is this text, and a test holds the two together.
package enum ExampleFile {
  package static var text: String {
    var text = """
      # Settings of carrel. Every setting stands here with its default: taking a line out changes
      # nothing. `carrel config check` tells what is wrong with a file, `carrel config show
      # --origin` which value counts and where it came from.
      #
      # A flag wins over a variable of the environment, that over the file, and the file over
      # /etc/carrel/config.yaml. Times: 500ms 90s 15m 3d 2w. Sizes: 4096 64KiB 10MB.

      """
    for section in Settings.sections {
      text += "\n# \(section.summary)\n\(section.name):\n"
      let specs = Settings.all.filter { $0.section == section.name }
      text += specs.map(entry).joined(separator: "\n")
    }
    return text + libraries
  }

  /// Libraries have no defaults, so they stand here as an example only.
  private static let libraries = """

    # The libraries that cards can be linked at, each under a name of your choice. Which settings a
    # provider wants, `carrel provider list` tells. Secrets stand in files of their own, which only
    # you can read: a setting NAME_file is the file that holds NAME.
    #
    # libraries:
    #   city:
    #     provider: overdrive
    #     name: City Library
    #     # The place whose clocks its loans end by, where that is not the gateway's own.
    #     time_zone: Europe/Berlin
    #     # A set of addresses of config/endpoints.yaml, or addresses of your own, by name.
    #     endpoints: production
    #     library_id: 1234
    #     website_id: 56
    #     authorization_name: cityils
    #     client_key_file: /etc/carrel/city-key
    #     client_secret_file: /etc/carrel/city-secret
    #     # Where one becomes a member; the pages lead there.
    #     join_at: https://city.example/get-a-card
    #     # The bars on its cards, where the number does not tell: codabar, code39 or code128.
    #     barcode: codabar
    #     # Whether its patrons sign in here with card and PIN although nobody linked the card: the
    #     # library is asked, and who comes the first time is entered. Only a library that checks
    #     # PINs can say who a patron is.
    #     members: false
    #     # Whether patrons link its cards on the pages. Where a library proves no PIN, anybody who
    #     # knows the number of a card can link it; with false only the operator does, by
    #     # `carrel link --as PATRON`.
    #     patrons_link: true
    #     # Its name and secret at the vendor of adobe.vendor, where its books are locked by Adobe
    #     # and it brings no tokens of its own.
    #     adobe_name: CITY
    #     adobe_secret_file: /etc/carrel/city-adobe
    #   village:
    #     provider: opdslibrary
    #     name: Village Library
    #     endpoints:
    #       catalog: https://village.example/opds
    #   town:
    #     provider: library_desk
    #     name: Bridgeport Town Library
    #     time_zone: America/New_York
    #     # Who proves card and PIN, who finds titles and copies, who keeps holds and loans.
    #     sign_in: sip2
    #     titles: koha
    #     holds: koha
    #     endpoints:
    #       koha: https://ils.bridgeport.example/api/v1
    #       sip2: sip2s://ils.bridgeport.example:6001
    #     koha_client_id: carrel
    #     koha_client_secret_file: /etc/carrel/bridgeport-koha
    #     branches: "MTH = Mott Haven; CPL = Central Library, 1 Library Square"
    #     card_pattern: "[0-9]{14}"
    #     # More than this may not be owed, and rules of your own, one a line.
    #     fine_limit: 10.00
    #     currency: USD
    #     block_rules: |
    #       minors: {age} < 13 => Children borrow at the desk.
    libraries: {}

    """

  private static func entry(_ spec: SettingSpec) -> String {
    var lines = comment(spec.summary) + comment("Why change it: " + spec.reason)
    lines += comment("Takes \(spec.isList ? "a list, each " : "")\(spec.expectation).")
    switch spec.form {
    case .optional(let example): lines.append("  # Example: \(spec.name): \(scalar(example))")
    case .list(_, let example) where !example.isEmpty:
      lines.append("  # Example: \(spec.name): \(list(example))")
    default: break
    }
    lines.append("  # Variable: \(spec.variable)")
    lines.append("  \(spec.name): \(value(spec))")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func value(_ spec: SettingSpec) -> String {
    switch spec.form {
    case .single(let text): scalar(text)
    case .optional: "null"
    case .list(let texts, _): list(texts)
    }
  }

  private static func list(_ texts: [String]) -> String {
    "[" + texts.map(scalar).joined(separator: ", ") + "]"
  }

  /// Quoted where YAML could take it for something else.
  static func scalar(_ text: String) -> String {
    let isPlain = text.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || "/._-".contains(character))
    }
    let words = ["", "null", "true", "false", "yes", "no", "on", "off"]
    if isPlain, !words.contains(text.lowercased()), !text.hasPrefix("-") { return text }
    if ["true", "false"].contains(text) { return text }
    let escaped = text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }

  private static func comment(_ text: String) -> [String] {
    let wrapped = TextLayout(width: 84, isStyled: false).wrap(TerminalText(lines: text))
    return wrapped.text.split(separator: "\n").map { "  # \($0)" }
  }
}

extension SettingSpec {
  /// The default as the file writes it; nil when the setting is unset.
  package var shownDefault: String? {
    switch form {
    case .single(let text): text
    case .optional: nil
    case .list(let texts, _): "[" + texts.map(ExampleFile.scalar).joined(separator: ", ") + "]"
    }
  }
}
