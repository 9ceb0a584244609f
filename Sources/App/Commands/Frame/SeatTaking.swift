import Console
import Items
import Secrets
import Setup
import TextSafety

extension App {
  /// Who asks and with which settings, for the engine. Warnings of the settings are told on the
  /// way.
  func seat(_ flags: [ConfigurationSources.FlagValue] = []) throws(CommandError) -> Seat {
    let configuration = try configuration(flags)
    for warning in configuration.warnings { output.warn("\(warning)") }
    let questions = questions
    return Seat(
      configuration: configuration, place: try gatewayPlace(), patron: patron,
      passphrase: {
        guard questions.mayAsk else { return nil }
        return Secret(
          try questions.askHidden("Passphrase of the vault", flag: "vault.passphrase_file"))
      })
  }

  func gatewayPlace() throws(CommandError) -> GatewayPlace {
    var place = GatewayPlace(
      data: try places().data, state: try places().state, cache: try places().cache,
      environment: surroundings.environment, processID: Process.id)
    place.release = .init(number: Release.number, commit: Release.current.commit ?? "")
    return place
  }

  /// Does something with the engine, and says what is waited for when it takes long.
  func engaged<Answer>(
    _ what: TerminalText, _ body: (any Engine, Seat) async throws(ErrorItem) -> Answer
  ) async throws -> Answer {
    let engine = try needed()
    let seat = try seat()
    let waiting = Waiting(quietly: what, output, surroundings)
    defer { waiting.finish() }
    do throws(ErrorItem) { return try await body(engine, seat) } catch {
      throw CommandError(error)
    }
  }
}
