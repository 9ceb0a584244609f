/// Every command, in the order of help and manual. A new one is a file in `Commands` and a line here.
let allCommands: [any Command.Type] = [
  DemoCommand.self,
  ServeCommand.self,
  ConfigShowCommand.self,
  ConfigCheckCommand.self,
  ConfigEditCommand.self,
  ConfigPathCommand.self,
  ConfigExampleCommand.self,
  VersionCommand.self,
  SchemaCommand.self,
  CompletionCommand.self,
  HelpCommand.self,
  CompleteCommand.self,
  ManCommand.self,
]
