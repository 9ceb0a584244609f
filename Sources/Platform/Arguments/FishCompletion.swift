extension Program {
  /// A completion script for fish.
  package var fishCompletion: String {
    let takers = (globals + shown.flatMap(\.flags)).filter { $0.role == .option }
    let spelled = unique(
      takers.flatMap { ["--\($0.name)"] + ($0.short.map { ["-\($0)"] } ?? []) })
    var lines = [
      """
      # Completion of \(name) for fish, printed by `\(name) completion fish`.

      # The command typed so far, without flags, their values, and arguments.
      function __\(name)_path
          set -l path
          set -l skip 0
          for word in (commandline -opc)[2..-1]
              if test $skip -eq 1
                  set skip 0
                  continue
              end
              switch $word
                  case \(spelled.joined(separator: " "))
                      set skip 1
                  case '-*'
                      continue
                  case '*'
                      switch "$path $word"
                          case \(fishPaths)
                              set path "$path $word"
                      end
              end
          end
          echo "$path"
      end

      function __\(name)_at
          test (__\(name)_path) = "$argv[1]"
      end

      complete -c \(name) -f
      """
    ]
    for flag in globals { lines.append(fishFlag(flag, at: nil)) }
    for noun in [[]] + unique(shown.filter { $0.path.count > 1 }.map { Array($0.path.dropLast()) })
    {
      for word in words(after: noun) {
        lines.append(
          "complete -c \(name) -n \(fishAt(noun)) -a \(word.term) -d \(fishQuoted(word.meaning))")
      }
    }
    for command in shown {
      for path in [command.path] + command.aliases {
        lines += command.flags.map { fishFlag($0, at: path) }
        lines += command.arguments.compactMap { argument in
          fishValues(argument.completion).map { "complete -c \(name) -n \(fishAt(path)) \($0)" }
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var fishPaths: String {
    let paths = shown.flatMap { [$0.path] + $0.aliases }
      .flatMap { path in path.indices.map { path[...$0] } }
    return unique(paths.map { "' \($0.joined(separator: " "))'" }).joined(separator: " ")
  }

  private func fishAt(_ path: [String]) -> String {
    "'__\(name)_at \"\(path.map { " " + $0 }.joined())\"'"
  }

  private func fishFlag(_ flag: Parameter, at path: [String]?) -> String {
    var line = "complete -c \(name)"
    if let path { line += " -n \(fishAt(path))" }
    if let short = flag.short { line += " -s \(short)" }
    line += " -l \(flag.name) -d \(fishQuoted(flag.help))"
    if flag.takesValue { line += fishValues(flag.completion).map { " -r \($0)" } ?? " -x" }
    return line
  }

  private func fishValues(_ completion: Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .file: "-F"
    case .directory: "-f -a '(__fish_complete_directories)'"
    case .choices(let words): "-f -a '\(words.joined(separator: " "))'"
    case .dynamic(let what): "-f -a '(\(name) complete \(what) 2>/dev/null)'"
    }
  }

  private func fishQuoted(_ text: String) -> String {
    var out = "'"
    for character in text {
      if character == "'" || character == "\\" { out.append("\\") }
      out.append(character)
    }
    return out + "'"
  }
}
