import Arguments
import Foundation
import Setup
import Testing

@testable import Commands

/// The shells are test packages; a machine without them must fail here, not pass unseen.
@Suite struct `Completion` {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `Completion has no fault of syntax`(_ name: String) throws {
    let ending = try shell.sh("carrel completion \(name) > script && \(name) -n script")
    #expect(ending.code == 0)
    #expect(ending.error.isEmpty)
  }

  @Test(arguments: [
    ("carrel con", "config"), ("carrel config ", "show check edit path example"),
    ("carrel config show server.po", "server.port"), ("carrel config show --or", "--origin"),
    ("carrel completion ", "bash zsh fish"), ("carrel --home /tmp config pa", "path"),
    ("carrel --json config pa", "path"), ("carrel serve --po", "--port"),
    ("carrel schema config-c", "config-check"), ("carrel help err", "errors"),
    ("carrel config check ./fi", "./file.yaml"), ("carrel --home ./fo", "./folder"),
    ("carrel --profile ", "mine"), ("carrel --profile = mi", "mine"),
    ("carrel config show --profile my", "my\\ $(echo\\ x)"), ("carrel nothing ", ""),
  ])
  func `Completion offers words in bash`(_ line: String, _ expected: String) throws {
    try shell.write("", to: "file.yaml")
    try shell.write("", to: "folder/x")
    try shell.write("", to: ".config/carrel/profiles/mine.yaml")
    if line.contains("my") { try shell.write("", to: ".config/carrel/profiles/my $(echo x).yaml") }
    try shell.write(
      """
      eval "$(carrel completion bash)"
      IFS=' ' read -r -a COMP_WORDS <<< "$1"
      [[ $1 == *' ' ]] && COMP_WORDS+=("")
      COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
      _carrel
      printf '%s' "${COMPREPLY[*]}"
      """, to: "try.bash")
    let ending = try shell.run("/bin/bash", ["try.bash", line], [:])
    let wanted = expected.contains("$(") ? expected.split(separator: " ").count : 0
    if wanted > 0 {
      #expect(ending.output.contains("my\\ \\$\\(echo\\ x\\)"))
    } else {
      #expect(ending.output == expected)
    }
    #expect(ending.error.isEmpty)
  }

  @Test(arguments: [
    ("carrel con", ["config"]), ("carrel config e", ["edit", "example"]),
    ("carrel completion b", ["bash"]), ("carrel config show server.po", ["server.port"]),
    ("carrel config show --ori", ["--origin"]), ("carrel --home /tmp config pa", ["path"]),
  ])
  func `Completion offers words in fish`(_ line: String, _ expected: [String]) throws {
    let ending = try shell.run(
      "/usr/bin/fish", ["-c", "carrel completion fish | source; complete -C '\(line)'"], [:])
    let words = ending.output.split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
    #expect(words == expected)
  }

  @Test func `Completion is loaded by zsh, with a function for each command`() throws {
    let ending = try shell.sh(
      """
      carrel completion zsh > _carrel
      zsh -f -c 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; \
      print $_comps[carrel]; autoload +X _carrel; functions _carrel | head -1'
      """)
    #expect(ending.output.hasPrefix("_carrel\n"))
    #expect(ending.error.isEmpty)
  }
}

@Suite struct `The manual` {
  @Test func `The manual is formatted without a warning`() throws {
    let shell = try Shell()
    #expect(try shell.carrel("man", "pages").code == 0)
    for page in Manual.pages {
      let ending = try shell.sh("groff -man -ww -z -K utf8 pages/\(page.fileName)")
      #expect(ending.code == 0)
      #expect(ending.error.isEmpty, "\(page.fileName)")
    }
  }

  @Test func `The manual has the pages that are promised`() {
    let names = Manual.pages.map(\.fileName)
    for name in ["carrel.1", "carrel-config.1", "carrel-serve.1", "carrel.yaml.5", "carrel-api.7"] {
      #expect(names.contains(name))
    }
  }

  @Test func `The manual explains every setting`() throws {
    let page = try #require(Manual.pages.first { $0.fileName == "carrel.yaml.5" })
    for spec in Settings.all { #expect(page.text.contains("\\fB\(spec.key)\\fR")) }
  }
}
