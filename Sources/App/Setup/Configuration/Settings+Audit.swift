import Arguments

extension Settings {
  enum Audit {
    static let months = Setting(
      optional: "audit.months", .integer(1...1200), example: "24",
      "How many whole months of the audit log are kept beside this one; unset, all of them.",
      why: "Set what your law or your library's rules ask for: the log tells when patrons signed "
        + "in and what was done with their accounts.")

    static let all: [SettingSpec] = [months.spec]
  }
}
