package import Database

extension Schedule {
  /// Work that falls due for one of these.
  package static func removals(of subjects: [String]) -> [Removal] {
    [Removal("work that falls due", from: "schedule_job", where: "subject IN (\(subjects))")]
  }
}
