import Arguments
import Setup

/// All pages of the manual: those of the commands, of the settings file, and of the interface for
/// programs.
enum Manual {
  static var pages: [ManualPage] {
    Program.carrel.manual + [settings, interface, book, gateway, picture, service]
  }

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

  // The programs that nobody calls by their names.

  private static var book: ManualPage {
    part(
      "carrel-book", 1, "what carrel becomes for book files",
      """
      carrel starts this program in its own place where a command opens a book file, such as \
      carrel epub. It takes the same commands and flags, and is linked with what reads books, but \
      with nothing for network or database. It is not meant to be called by hand.
      """)
  }

  private static var gateway: ManualPage {
    part(
      "carrel-gateway", 8, "what carrel becomes for network and database",
      """
      carrel starts this program in its own place where a command needs libraries, database or \
      vault, such as carrel serve. It takes the same commands and flags. It is not meant to be \
      called by hand.

      When it crashes it writes the functions on the stack to the error stream, which systemd \
      stores in the journal: names, but nothing from its memory. The names stand in the file \
      carrel-gateway.symbols beside it. It leaves no core file. The package carrel-dbgsym holds \
      what a debugger needs.
      """)
  }

  private static var picture: ManualPage {
    part(
      "carrel-picture", 8, "what makes pictures for carrel",
      """
      carrel-gateway starts this program for each cover, each photograph and each picture that a \
      patron sends. It reads one picture, writes what was made of it, and ends. Before it reads it \
      gives up files, network, other programs and all but 512 MiB of memory and 10 seconds of \
      processor time, by the limits of the system, by Landlock and by seccomp, where the kernel has \
      them. It is not meant to be called by hand, except to see what the kernel grants:

        carrel-picture check
      """)
  }

  private static var service: ManualPage {
    part(
      "carrel-service", 8, "run carrel as its service does",
      """
      carrel-service COMMAND... runs carrel with the account carrel and the settings in \
      /etc/carrel/carrel.yaml, as carrel.service does. Only root and the account carrel may call \
      it.
      """)
  }

  private static func part(_ title: String, _ section: Int, _ summary: String, _ text: String)
    -> ManualPage
  {
    ManualPage(
      title: title, section: section, release: release, manual: "Manual of carrel",
      summary: summary, sections: [("Description", .text(text))],
      seeAlso: ["carrel(1)", "carrel.yaml(5)"])
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
