package import Shelving

/// Where the lanes stand written, and who may change that.
package struct LaneDesk: Sendable {
  package struct Fault: Sendable, Hashable {
    /// From 1; nil where it is about the whole text.
    package let line: Int?
    package let sentence: String

    package init(line: Int?, _ sentence: String) { (self.line, self.sentence) = (line, sentence) }
  }

  /// What a text of lanes says: lanes, or what is wrong with it.
  package enum Reading: Sendable {
    case lanes([Lane])
    case faults([Fault])
  }

  /// The text as it stands now.
  package struct Written: Sendable, Hashable {
    package let text: String
    /// Nil where no settings file says where lanes would stand.
    package let path: String?
    /// Whether there is a file; else the text is what is built in.
    package let isFile: Bool
    /// Why it cannot be written here; nil where it can.
    package let obstacle: String?

    package init(text: String, path: String?, isFile: Bool, obstacle: String?) {
      (self.text, self.path, self.isFile, self.obstacle) = (text, path, isFile, obstacle)
    }
  }

  /// Why something was not written, in a sentence for whoever looks after the gateway.
  package struct Failure: Error {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
  }

  package let shown: @Sendable () -> [Lane]
  package let written: @Sendable () throws(Failure) -> Written
  package let read: @Sendable (String) -> Reading
  /// Writes a text that was found sound, keeps the old one beside it and shows the lanes from now on;
  /// tells where the old one lies, nil where there was none.
  package let save: @Sendable (String) throws(Failure) -> String?

  package init(
    shown: @escaping @Sendable () -> [Lane],
    written: @escaping @Sendable () throws(Failure) -> Written,
    read: @escaping @Sendable (String) -> Reading,
    save: @escaping @Sendable (String) throws(Failure) -> String?
  ) {
    (self.shown, self.written, self.read, self.save) = (shown, written, read, save)
  }
}
