/// The elements that mean something to a reader of text.
package enum Tag: String, Sendable, CaseIterable {
  case html, head, body, title, script, style, template, metadata, noscript, link, meta
  case p, div, section, article, aside, header, footer, nav, main, address, hgroup, figure, form
  case fieldset, details, summary, legend, center
  case h1, h2, h3, h4, h5, h6
  case ul, ol, li, menu, dir, dl, dt, dd
  case table, caption, thead, tbody, tfoot, tr, td, th, colgroup, col
  case blockquote, pre, listing, xmp, textarea, hr, br, wbr, figcaption
  case a, b, strong, i, em, cite, dfn, `var`, code, kbd, samp, tt, sup, sub, u, ins, s, strike, del
  case mark, q, small, big, span, abbr, acronym, font, bdi, bdo, time
  case ruby, rb, rt, rp, rtc
  case img, image, svg, math, object, iframe, audio, video, source, track, canvas, picture, embed
  case text, tspan, desc, annotation
  case annotationXML = "annotation-xml"
  case select, datalist, option, button, input
  case level1, level2, level3, level4, level5, level6, level, book, frontmatter, bodymatter,
    rearmatter
  case doctitle, docauthor, pagenum, imggroup, prodnote, sent, w, line, linegroup, poem, note,
    noteref
  case `switch`, `case`, `default`
  case other

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  private static let byKey: [UInt64: Tag] = Dictionary(
    uniqueKeysWithValues: allCases.filter { $0.rawValue.utf8.count <= 8 }.map {
      ($0.rawValue.utf8.reduce(0) { $0 << 8 | UInt64($1) }, $0)
    })

  /// From a name of eight bytes or less, which make the key.
  init(key: UInt64, named name: String) { self = Self.byKey[key] ?? Tag(named: name) }

  init(named name: String) {
    self = Self.byName[name] ?? Self.byName[name.lowercased()] ?? .other
  }

  /// Not for reading, with all that is inside.
  var isUnread: Bool {
    switch self {
    case .head, .script, .style, .template, .metadata, .rp, .iframe, .select, .datalist, .source,
      .track, .embed, .input, .colgroup, .col, .annotation, .annotationXML, .title, .desc, .link,
      .meta:
      true
    default: false
    }
  }

  /// Whether text before it and text in it are two paragraphs.
  var isBlock: Bool {
    switch self {
    case .html, .body, .p, .div, .section, .article, .aside, .header, .footer, .nav, .main,
      .address, .hgroup, .figure, .form, .fieldset, .details, .summary, .legend, .center, .h1, .h2,
      .h3, .h4, .h5, .h6, .ul, .ol, .li, .menu, .dir, .dl, .dt, .dd, .table, .caption, .thead,
      .tbody, .tfoot, .tr, .td, .th, .blockquote, .pre, .listing, .xmp, .hr, .figcaption, .noscript,
      .level1, .level2, .level3, .level4, .level5, .level6, .level, .book, .frontmatter,
      .bodymatter, .rearmatter, .doctitle, .docauthor, .imggroup, .prodnote, .line, .linegroup,
      .poem, .note, .option, .textarea, .text:
      true
    default: false
    }
  }

  var headingLevel: Int? {
    switch self {
    case .h1, .doctitle: 1
    case .h2: 2
    case .h3: 3
    case .h4: 4
    case .h5: 5
    case .h6: 6
    default: nil
    }
  }
}
