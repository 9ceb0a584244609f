extension Program {
  /// A completion script for bash. It needs nothing beside bash 4, and asks the program only for
  /// words that no script can know.
  package var bashCompletion: String {
    """
    # Completion of \(name) for bash, printed by `\(name) completion bash`.

    _\(name)_values() {
        case "$1" in
    \(bashValues)
        esac
    }

    _\(name)() {
        local cur=${COMP_WORDS[COMP_CWORD]} flag="" path="" word i count=0 ended=0
        local lead=""
        COMPREPLY=()

        # bash splits at '=', so --flag=value arrives as three words.
        if [[ $cur == "=" ]]; then
            flag=${COMP_WORDS[COMP_CWORD-1]} cur=""
        elif (( COMP_CWORD > 1 )) && [[ ${COMP_WORDS[COMP_CWORD-1]} == "=" ]]; then
            flag=${COMP_WORDS[COMP_CWORD-2]}
        elif [[ $cur == --*=* ]]; then
            flag=${cur%%=*} lead="${cur%%=*}=" cur=${cur#*=}
        fi

        # The command typed so far, and how many arguments follow it.
        for (( i = 1; i < COMP_CWORD; i++ )); do
            word=${COMP_WORDS[i]}
            if (( ended )); then (( ++count )); continue; fi
            case $word in
                --) ended=1 ;;
                =) (( ++i )) ;;
                \(bashTakers))
                    if [[ ${COMP_WORDS[i+1]} != "=" ]]; then
                        (( ++i ))
                        (( i == COMP_CWORD )) && flag=$word
                    fi ;;
                -?*) ;;
                *)
                    case "$path $word" in
                        \(bashPaths)) path="$path $word" ;;
                        *) (( ++count )) ;;
                    esac ;;
            esac
        done

        local kind="" words=""
        if [[ -n $flag ]]; then
            case "$path:$flag" in
    \(bashFlagKinds)
            esac
        elif [[ $cur == -* ]] && (( ! ended )); then
            case "$path" in
    \(bashFlags)
            esac
            words="$words \(globals.map { "--\($0.name)" }.joined(separator: " "))"
        else
            case "$path:$count" in
    \(bashArguments)
            esac
        fi

        case $kind in
            file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
            dir) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
            "") mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
            *)
                # Not through compgen -W: it would run what a file name might contain.
                while IFS= read -r word; do
                    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
                done < <(_\(name)_values "$kind") ;;
        esac
        if [[ -n $lead ]]; then COMPREPLY=("${COMPREPLY[@]/#/$lead}"); fi
    }

    complete -F _\(name) \(name)

    """
  }

  private var bashTakers: String {
    let takers = (globals + shown.flatMap(\.flags)).filter { $0.role == .option }
    let spelled = takers.flatMap { ["--\($0.name)"] + ($0.short.map { ["-\($0)"] } ?? []) }
    return unique(spelled).joined(separator: "|")
  }

  private var bashPaths: String {
    let paths = shown.flatMap { [$0.path] + $0.aliases }
      .flatMap { path in path.indices.map { path[...$0] } }
    return unique(paths.map { "\" \($0.joined(separator: " "))\"" }).joined(separator: "|")
  }

  private var bashValues: String {
    let kinds = (globals + shown.flatMap(\.parameters)).map(\.completion)
    let lines = kinds.compactMap { completion -> String? in
      switch completion {
      case .choices(let words):
        "        \(bashKind(completion))) printf '%s\\n' \(words.joined(separator: " ")) ;;"
      case .dynamic(let what):
        "        \(bashKind(completion))) \(name) complete \(what) 2>/dev/null ;;"
      default: nil
      }
    }
    return unique(lines).joined(separator: "\n")
  }

  private func bashKind(_ completion: Completion) -> String {
    switch completion {
    case .nothing: "none"
    case .file: "file"
    case .directory: "dir"
    case .choices(let words): "of-\(words.joined(separator: "-"))"
    case .dynamic(let what): "ask-\(what)"
    }
  }

  private var bashFlagKinds: String {
    func lines(_ flags: [Parameter], _ path: String) -> [String] {
      flags.filter { $0.role == .option }.map { flag in
        let spelled = ["--\(flag.name)"] + (flag.short.map { ["-\($0)"] } ?? [])
        let patterns = spelled.map { "\(path):\($0)" }.joined(separator: "|")
        return "            \(patterns)) kind=\(bashKind(flag.completion)) ;;"
      }
    }
    let own = shown.flatMap { command in
      ([command.path] + command.aliases).flatMap { path in
        lines(command.flags, "\" \(path.joined(separator: " "))\"")
      }
    }
    return (own + lines(globals, "*")).joined(separator: "\n")
  }

  private var bashFlags: String {
    shown.filter { !$0.flags.isEmpty }.map { command in
      let paths = ([command.path] + command.aliases).map { "\" \($0.joined(separator: " "))\"" }
      let flags = command.flags.map { "--\($0.name)" }.joined(separator: " ")
      return "            \(paths.joined(separator: "|"))) words=\"\(flags)\" ;;"
    }.joined(separator: "\n")
  }

  private var bashArguments: String {
    var lines: [String] = []
    for noun in [[]] + unique(shown.filter { $0.path.count > 1 }.map { Array($0.path.dropLast()) })
    {
      let path = noun.isEmpty ? "" : " " + noun.joined(separator: " ")
      let words = words(after: noun).map(\.term).joined(separator: " ")
      lines.append("            \"\(path):0\") words=\"\(words)\" ;;")
    }
    for command in shown {
      for (place, argument) in command.arguments.enumerated() where argument.completion != .nothing
      {
        let paths = ([command.path] + command.aliases).map { path in
          "\" \(path.joined(separator: " ")):\"" + (argument.isRepeatable ? "*" : "\(place)")
        }
        lines.append(
          "            \(paths.joined(separator: "|"))) kind=\(bashKind(argument.completion)) ;;")
      }
    }
    return lines.joined(separator: "\n")
  }
}

func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
  var seen: Set<Element> = []
  return elements.filter { seen.insert($0).inserted }
}
