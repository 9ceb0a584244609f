/// One step through a document as libyaml sees it, freed from C: everything is a Swift value.
struct YamlEvent {
  enum Step {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias
    case scalar(Properties, text: String, style: YamlScalar.Style)
    case sequenceStart(Properties)
    case sequenceEnd
    case mappingStart(Properties)
    case mappingEnd
  }

  /// What may stand before a value: a tag and an anchor.
  struct Properties {
    let tag: String?
    let hasAnchor: Bool
  }

  let step: Step
  let position: YamlPosition
}
