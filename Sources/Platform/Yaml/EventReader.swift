import CYaml

/// libyaml's parser over one text: owned once, freed once, and never seen outside this file.
@safe struct EventReader: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let limits: YamlLimits

  init(_ bytes: [UInt8], limits: YamlLimits) throws(YamlError) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe parser.deallocate()
      throw YamlError(.outOfMemory, at: .start)
    }
    // The parser keeps a pointer to its input, so the bytes need an address that stays.
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = unsafe input.initialize(from: bytes)
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    // Never guess: UTF-16 was refused before, and there is no other encoding left.
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe (self.parser, self.input, self.limits) = (parser, input, limits)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  mutating func next() throws(YamlError) -> YamlEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { unsafe yaml_event_delete(&event) }
    let position = unsafe YamlPosition(event.start_mark)
    return unsafe YamlEvent(step: try step(of: &event, at: position), position: position)
  }

  private func step(
    of event: inout yaml_event_t, at position: YamlPosition
  ) throws(YamlError) -> YamlEvent.Step {
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_DOCUMENT_START_EVENT:
      // %TAG gives tags other meanings, and could make `!x` one of the few that are known here.
      let directives = unsafe event.data.document_start.tag_directives
      guard unsafe directives.start == directives.end else { throw YamlError(.tag, at: position) }
      return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return unsafe .sequenceStart(properties(tag: start.tag, anchor: start.anchor))
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return unsafe .mappingStart(properties(tag: start.tag, anchor: start.anchor))
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      guard unsafe scalar.length <= limits.scalarBytes else {
        throw YamlError(.tooLarge(.scalarBytes(limits.scalarBytes)), at: position)
      }
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      guard unsafe !bytes.contains(0) else { throw YamlError(.nulCharacter, at: position) }
      return unsafe .scalar(
        properties(tag: scalar.tag, anchor: scalar.anchor),
        text: String(decoding: bytes, as: UTF8.self), style: YamlScalar.Style(scalar.style))
    default:
      // YAML_NO_EVENT: asked for more after the end, which the tree builder never does.
      return .streamEnd
    }
  }

  private func properties(
    tag: UnsafeMutablePointer<yaml_char_t>?, anchor: UnsafeMutablePointer<yaml_char_t>?
  ) -> YamlEvent.Properties {
    unsafe YamlEvent.Properties(
      tag: tag.map { unsafe String(cString: $0) }, hasAnchor: anchor != nil)
  }

  private func problem() -> YamlError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? ""
    let (mark, context) = unsafe (parser.pointee.problem_mark, parser.pointee.context_mark)
    switch unsafe parser.pointee.error {
    case YAML_MEMORY_ERROR:
      return unsafe YamlError(.outOfMemory, at: YamlPosition(parser.pointee.mark))
    case YAML_READER_ERROR:
      let offset = unsafe parser.pointee.problem_offset
      let position = unsafe YamlPosition(ofByte: offset, in: Array(input))
      return YamlError(.badEncoding(Complaint.ofEncoding(problem)), at: position)
    default:
      let complaint = Complaint(problem)
      // libyaml reports what was never closed at the end of the file, one line below the last.
      let characters = unsafe input.count { $0 & 0xC0 != 0x80 }
      let isAtEnd = mark.index >= characters
      let position =
        if complaint.pointsAtBeginning || isAtEnd, unsafe parser.pointee.context != nil {
          YamlPosition(context)
        } else if isAtEnd {
          unsafe YamlPosition(ofByte: input.count, in: Array(input))
        } else {
          YamlPosition(mark)
        }
      return YamlError(.syntax(complaint.sentence), at: position)
    }
  }
}

extension YamlPosition {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}

extension YamlScalar.Style {
  fileprivate init(_ style: yaml_scalar_style_t) {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: self = .literal
    case YAML_FOLDED_SCALAR_STYLE: self = .folded
    default: self = .plain
    }
  }
}
