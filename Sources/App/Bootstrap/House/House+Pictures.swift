import Console
import Pictures

extension House {
  /// Covers, photographs and placeholders, made by processes of their own.
  var pictures: PictureMaker { pictureProgram.maker }

  /// `carrel-picture` lies beside this program, in a checkout as where it is installed.
  static func picturesBeside(_ executable: String?) -> String? {
    guard let executable, let slash = executable.lastIndex(of: "/") else { return nil }
    let program = "\(executable[..<slash])/carrel-picture"
    return Files.exists(program) ? program : nil
  }
}
