import Arguments

extension Settings {
  enum Office {
    static let codes = Setting(
      "office.codes", .choice("WHETHER") as Kind<Configuration.Office.Codes>, default: "offered",
      "Whether whoever looks after the gateway has to sign in with a code from an app as well.",
      why: "Set demanded where operators see many readers: whoever has no app is led to set one up "
        + "before the office opens. Readers may use one either way.")

    static let all: [SettingSpec] = [codes.spec]
  }
}
