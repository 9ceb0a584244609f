import Arguments

/// Flags that every command takes, before or after its name.
enum GlobalFlags {
  static let home = Option(
    "home", .directory, "Keep everything in one folder, and read nothing outside it.",
    common: true)
  static let config = Option("config", .file, "Read this settings file.", common: true)
  static let profile = Option(
    "profile", Kind<String>.word.called("NAME").completed(by: .dynamic("profiles")),
    "Read the settings file of that name in the folder 'profiles'.")
  static let patron = Option(
    "as", Kind<String>.word.called("PATRON"), "Act for this patron.")
  static let json = Flag("json", "Print one JSON document.", common: true)
  static let jsonLines = Flag("jsonl", "Print one JSON object a line.")
  static let plain = Flag("plain", "Print one record a line, with tabs between its values.")
  static let output = Option(
    "output", short: "o", .file, "Write the result to a file; - is the standard output.")
  static let yes = Flag("yes", short: "y", "Answer yes to every question.", common: true)
  static let noInput = Flag("no-input", "Ask nothing; fail where an answer is needed.")
  static let quiet = Flag("quiet", short: "q", "Print results and errors only.", common: true)
  static let verbose = Count("verbose", short: "v", "Tell more; twice tells most.")
  static let noColor = Flag("no-color", "Print without color.")
  static let timeout = Option(
    "timeout", .duration, "Wait no longer than this for a library or service.")
  static let debug = Flag("debug", "Write a trace to a file and name it.")

  static let all: [any Declared] = [
    home, config, profile, patron, json, jsonLines, plain, output, yes, noInput, quiet, verbose,
    noColor, timeout, debug,
  ]
}
