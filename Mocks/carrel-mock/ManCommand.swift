import Arguments
import Console

/// Writes the manual; `make install` and the package call it.
enum ManCommand {
  static let folder = Argument("dir", .directory, "The folder to write the page into.")

  static let spec = CommandSpec(
    "man", "Write the page of the manual into a folder.",
    examples: [CommandSpec.Example("carrel-mock man /tmp/pages", "The page, for man to show")],
    exits: [1], isHidden: true, parameters: [folder])

  static func run(_ input: Input) throws(UsageError) -> Int32 {
    let page = Main.program.wholeManual
    let place = try input[folder]
    do throws(Files.Trouble) {
      try Files.write(Array(page.text.utf8), to: "\(place)/\(page.fileName)")
    } catch {
      Main.say("carrel-mock: \(error)\n", on: .error)
      return 1
    }
    return 0
  }
}
