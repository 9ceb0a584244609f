extension Program {
  /// A completion script for zsh, for a file named `_carrel` on the `fpath`.
  package var zshCompletion: String {
    var text = """
      #compdef \(name)
      # Completion of \(name) for zsh, printed by `\(name) completion zsh`.

      _\(name)_ask() {
        local -a words
        words=(${(f)"$(\(name) complete $1 2>/dev/null)"})
        compadd -a words
      }


      """
    // A command that others follow, as `queue` and `queue pause`, is completed with their words.
    for command in shown where !nounPaths.contains(command.path) {
      text += function(zshName(command.path), specs(of: command))
    }
    for noun in nounPaths.reversed() { text += dispatcher(noun) }
    text += """
      if [[ $funcstack[1] == _\(name) ]]; then
        _\(name) "$@"
      else
        compdef _\(name) \(name)
      fi

      """
    return text
  }

  private var nounPaths: [[String]] {
    [[]] + unique(shown.filter { $0.path.count > 1 }.map { Array($0.path.dropLast()) })
  }

  private func zshName(_ path: [String]) -> String { "_" + ([name] + path).joined(separator: "_") }

  private func function(_ title: String, _ specs: [String]) -> String {
    """
    \(title)() {
      _arguments -s -S \(specs.joined(separator: " \\\n    "))
    }


    """
  }

  private func specs(of command: CommandSpec) -> [String] {
    let arguments = command.arguments.enumerated().map { place, argument in
      let start = argument.isRepeatable ? "*" : "\(place + 1)"
      let message = argument.isRequired ? ":" : "::"
      return zshQuoted(
        "\(start)\(message)\(argument.placeholder):\(zshAction(argument.completion))")
    }
    return (command.flags + globals).flatMap(zshFlag) + arguments
  }

  /// A noun's words, then the function of the word that was chosen.
  private func dispatcher(_ noun: [String]) -> String {
    let choices = words(after: noun).map { zshQuoted("\($0.term):\($0.meaning)") }
    let cases = unique(
      shown.flatMap { [$0.path] + $0.aliases }.filter {
        $0.starts(with: noun) && $0.count > noun.count
      }
      .map { $0[noun.count] }
    ).map { word in
      let path = noun + [word]
      let target = command(at: path)?.path ?? path
      return "        \(word)) \(zshName(target)) ;;"
    }
    return """
      \(zshName(noun))() {
        local curcontext="$curcontext" state line
        typeset -A opt_args
        local -a words_here
        words_here=(
          \(choices.joined(separator: "\n    "))
        )
        _arguments -C -s -S \(globals.flatMap(zshFlag).joined(separator: " \\\n    ")) \\
          '1: :->word' '*:: :->rest'
        case $state in
          word) _describe command words_here ;;
          rest)
            case $words[1] in
      \(cases.joined(separator: "\n"))
            esac ;;
        esac
      }


      """
  }

  private func zshFlag(_ flag: Parameter) -> [String] {
    let help = "[\(zshEscaped(flag.help))]"
    let value = flag.takesValue ? ":\(flag.placeholder):\(zshAction(flag.completion))" : ""
    let isRepeatable = flag.isRepeatable || flag.role == .count
    let long = "--\(flag.name)" + (flag.takesValue ? "=" : "")
    guard let short = flag.short else {
      return [zshQuoted((isRepeatable ? "*" : "") + long + help + value)]
    }
    let letter = "-\(short)" + (flag.takesValue ? "+" : "")
    let others = isRepeatable ? "*" : "(-\(short) --\(flag.name))"
    return [letter, long].map { zshQuoted(others + $0 + help + value) }
  }

  private func zshAction(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .choices(let words): "(\(words.joined(separator: " ")))"
    case .dynamic(let what): "_\(name)_ask \(what)"
    }
  }

  private func zshEscaped(_ text: String) -> String {
    var out = ""
    for character in text {
      if "\\[]:`$".contains(character) { out.append("\\") }
      out.append(character)
    }
    return out
  }

  private func zshQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
