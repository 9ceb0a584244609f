/// What operators read: in English, whatever their own pages speak.
enum OfficeWords {
  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }
}
