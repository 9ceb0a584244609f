import HTTP

/// The script of the pages. It only improves what works without: everything that it does is also a
/// link or a form.
enum SiteScript {
  static let asset = SiteAsset("carrel", "js", .javaScript, text)

  /// One scope, so that nothing is left lying about.
  static let text =
    "(() => {\n\"use strict\";\n" + groundScript + searchScript + ignoreScript + queueScript
    + keepScript + pushScript + keyScript + "})();\n"
}
