import Arguments

extension Settings {
  enum Adobe {
    static let vendor = Setting(
      optional: "adobe.vendor", .line, example: "CITYLIBRARY",
      "The name that Adobe gave whoever activates its programs for your readers.",
      why: "Only for libraries with adobe_name and adobe_secret_file: their locked books then open "
        + "with a card alone. Others bring what their own vendor gives.")
    static let node = Setting(
      optional: "adobe.node", .sixBytes, example: "0a1b2c3d4e5f",
      "The number that Adobe gave that vendor; with it this gateway answers at /AdobeAuth.",
      why:
        "Set it where this gateway is the vendor, never where another one is. It stands in every "
        + "reader's account for ever.")

    static let all: [SettingSpec] = [vendor.spec, node.spec]
  }
}

extension Kind where Value == String {
  /// Six bytes, as a network card's number is written.
  fileprivate static var sixBytes: Kind {
    Kind("HEX", "12 hexadecimal digits") { text in
      let digits = text.filter { $0 != ":" && $0 != "-" }
      return digits.utf8.count == 12 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        ? digits.lowercased() : nil
    }
  }
}
