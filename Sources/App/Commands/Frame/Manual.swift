import Arguments
import Setup

/// All pages of the manual: those of the commands, of the settings file, and of the interface for
/// programs.
enum Manual {
  static var pages: [ManualPage] { Program.carrel.manual + [settings, interface] }

  private static let release = "carrel \(Release.number)"

  static var settings: ManualPage {
    ManualPage(
      title: "carrel.yaml", section: 5, release: release, manual: "Manual of carrel",
      summary: "settings of carrel",
      sections: [
        (
          "Description",
          .text(
            """
            The settings of carrel are a YAML file of groups, each with settings of its own. What \
            is left out has its default. Names that are not known are errors.

            A flag wins over a variable of the environment, that over the file named with --config \
            or --profile (or, without these, ~/.config/carrel/config.yaml), and the file over \
            /etc/carrel/config.yaml. With --home only the file in that folder is read.

            Times are written as 500ms, 90s, 15m, 3d or 2w; sizes as 4096, 64KiB or 10MB. In a \
            variable the values of a list are kept apart by commas.
            """)
        ),
        (
          "Settings",
          .all(
            Settings.sections.map { section in
              .subsection(
                section.name,
                [.text(section.summary)]
                  + Settings.all.filter { $0.section == section.name }.map(note))
            })
        ),
        ("Files", .notes(Program.carrel.files)),
      ],
      seeAlso: ["carrel(1)", "carrel-config(1)"])
  }

  private static func note(_ spec: SettingSpec) -> ManualPage.Body {
    let start = spec.shownDefault.map { "Default: \($0)." } ?? "Not set by default."
    let takes = "Takes \(spec.isList ? "a list, each " : "")\(spec.expectation)."
    return .notes([
      Program.Note(
        spec.key, "\(spec.summary) \(spec.reason) \(takes) \(start) Variable: \(spec.variable).")
    ])
  }

  private static var interface: ManualPage {
    ManualPage(
      title: "carrel-api", section: 7, release: release, manual: "Manual of carrel",
      summary: "what programs can rely on",
      sections: [
        (
          "Description",
          .text(
            """
            Every command takes --json and then prints one document; --jsonl prints one object a \
            line, --plain one record a line with tabs between its values. Results go to the \
            standard output, everything else to the error stream.

            A document has the keys schema, generated_at, items, partial, warnings and next. Keys \
            are written in snake_case, times in RFC 3339 and UTC, spans of time in seconds, sizes \
            in bytes. A key that is left out is absent; null is unknown. New keys and new words \
            of an enumeration may come at any time; the number in the schema's name changes only \
            when a key goes away or changes its meaning.

            An error is one line on the error stream: {"error":{"code":…,"message":…,"try":…}}. \
            The exit code says the same more coarsely. carrel schema prints the JSON Schema of \
            each document.
            """)
        ),
        (
          "Schemas", .notes(SchemaCommand.all.map { Program.Note($0.id, $0.summary) })
        ),
        (
          "Errors",
          .notes(
            ErrorCode.allCases.map { code in
              Program.Note(
                code.rawValue, "\(code.cause) \(code.remedy) Exit \(code.exit.rawValue).")
            })
        ),
        ("Exit status", .notes(Program.carrel.exits)),
      ],
      seeAlso: ["carrel(1)", "carrel-schema(1)"])
  }
}
