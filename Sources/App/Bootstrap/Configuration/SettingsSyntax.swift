extension SettingsTree {
  package init(reading bytes: [UInt8], path: String) throws(ConfigurationError) {
    self.init(.empty, at: Place(line: 1, column: 1))
  }
}
