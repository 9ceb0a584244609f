/// What a book is beside its title, told by words around the title. Two books of unlike kinds are
/// two works, however alike the rest is.
enum Kind: String, Sendable, Hashable, CaseIterable {
  /// Written about the work: a summary, a companion, notes for school.
  case study = "a book about the book"
  case adaptation = "an adaptation"
  case abridged = "abridged or retold"
  case excerpt = "an excerpt"
  /// Several works in one.
  case container = "a collection of several"
}

enum Phrases {
  /// Anywhere in the title; one of them on one side only is a veto.
  static let telling: [String: [(phrase: [String], kind: Kind)]] = table([
    (
      .study,
      """
      sparknotes|spark notes|cliffsnotes|cliffs notes|cliff notes|cliff s notes|study guide|
      studyguide|summary of|a summary|summary and analysis|summary analysis|book summary|
      analysis of|an analysis|critical analysis|bookrags|gradesaver|reading guide|readers guide|
      reader s guide|reading group guide|teachers guide|teaching guide|lesson plans|lesson plan|
      workbook|coloring book|colouring book|york notes|blooms guides|blooms notes|maxnotes|
      monarch notes|litplan|instaread|blinkist|key takeaways|conversation starters|companion to|
      companion book|official companion|unofficial companion|unofficial guide|book companion|
      trivia|quiz book|readers companion|reading companion|guided journal|shmoop|barrons notes|
      summarized|sidekick to|a critical companion|critical essays on|discussion guide|
      cookbook companion|making of|the art of the film|official movie guide|illustrated companion|
      pocket companion|visual companion|bookcaps|supersummary|superSummary|
      a joosr guide to|quickread|minute read|readtrepreneur|in 30 minutes|trivia on books|
      handbook to|student workbook|instructors manual|solutions manual|teacher s guide|
      coles notes|passnotes|novel unit|literature guide|book analysis|
      critical guide|a understanding guide|guide to reading|unauthorized guide|
      daily planner|planner|activity book|sticker book|official cookbook|study notes|
      study companion|key insights from|teacher guide|no fear shakespeare|
      literary companion|
      resumen de|resumen y analisis|guia de lectura|guia de estudio|fiche de lecture|
      analyse de l oeuvre|analyse complete de l oeuvre|resume et analyse|
      lektureschlussel|lekturehilfe|lekturehilfen|konigs erlauterungen|
      erlauterungen und dokumente|erlauterungen zu|interpretation zu|textanalyse und interpretation|
      lehrerheft|arbeitsheft|lehrerhandbuch|unterrichtsmaterial|schulerheft|interpretationshilfe|
      guide pedagogique|cahier d exercices|cuaderno de ejercicios|guida alla lettura|riassunto di|resumo de|samenvatting van|uittreksel
      """
    ),
    (
      .adaptation,
      """
      full length play|one act play|stage version|stage script|official script|
      graphic novel|graphic history|graphic adaptation|graphic edition|graphic canon|manga|the comic|
      comic adaptation|comic book adaptation|comics adaptation|in comics|screenplay|filmscript|
      film script|the screen play|shooting script|original screenplay|teleplay|stage adaptation|
      stage play|the play|play adaptation|adapted|adaptation|adapted for|dramatisation|
      dramatization|dramatised|dramatized|radio drama|radio play|full cast drama|the musical|
      libretto|novelization|novelisation|movie novelization|movie storybook|film novelization|
      storybook|pop up|popup|babylit|illustrated screenplay|bande dessinee|playscript|
      horspiel|als comic|novela grafica|roman graphique|romanzo a fumetti|a fumetti|adaptado|
      adaptada|adaptacion|adaptacao|adattamento|adattato|bewerking|bearbeitung fur|story of the movie|story of the film|junior novel|
      a counting primer|a playful retelling|cozy classics|vocal selections|vocal score
      """
    ),
    (
      .abridged,
      """
      abridged|abridgment|abridgement|condensed|young readers|young readers edition|
      young reader s edition|young reader edition|young reader|young people|younger readers|
      young adult edition|for kids|for children|children s edition|childrens edition|
      adapted for young|retold|simplified|graded reader|graded readers|penguin readers|
      oxford bookworms|macmillan readers|classic starts|great illustrated classics|
      usborne young reading|stepping stone|easy reader|easy readers|stepping stones|
      retold by|readers digest|reader s digest|short version|
      abrege|abregee|texte abrege|version abreviada|abreviado|abreviada|resumida|gekurzt|gekurzte|
      nacherzahlt|neu erzahlt|fur kinder|fur kinder erzahlt|fur junge leser|edizione ridotta|ridotto|
      ridotta|per ragazzi|para jovenes|para ninos|pour les enfants|racontee aux enfants|
      ladybird classics|ladybird readers|ladybird tales|real reads|easy classics|step into classics|
      step into reading|bullseye step|little golden book|saddleback classics|dk readers|
      collins big cat|collins english readers|cambridge english readers|macmillan readers|
      longman classics|pearson english readers|usborne classics|usborne reading|young classics|
      first classics|awesome classics|wishbone classics|pocket classics retold|
      brief edition|brief version|concise edition|shorter edition|mini edition|
      raconte aux enfants|hertaald|verkort|teen edition|classroom edition|middle grade edition|illustrated classics
      """
    ),
    (
      .excerpt,
      """
      excerpt|excerpts|sampler|sneak peek|free preview|chapter sampler|first chapters|extract|
      extracts|selections from|free sample|a selection from|extended excerpt
      """
    ),
    (
      .container,
      """
      omnibus|boxed set|box set|boxset|boxedset|box collection|complete collection|
      complete series|entire series|book collection|books collection|series collection|
      collection set|complete works|collected works|complete novels|collected novels|
      selected works|major works|bind up|bindup|complete set|book set|books set|book bundle|
      bundle|in one volume|trilogy|tetralogy|duology|complete trilogy|in 1|ebook collection|
      ebook bundle|digital collection|complete saga|books 1|books 1 3|volumes 1|vols 1|
      complete sherlock holmes|complete chronicles|three novels|3 novels|4 novels|2 novels|
      5 novels|6 novels|7 novels|complete fiction|two novels in|
      4 complete novels|hardcover set|paperback set
      """
    ),
  ])

  /// Says nothing about the work: how it is made, sold or narrated.
  static let noise: [[String]] = [
    "electronic resource", "sound recording", "large print", "large type", "text large print",
    "kindle edition", "kindle", "ebook", "e book", "audiobook", "audio book", "audio cd", "audio",
    "unabridged edition", "unabridged", "complete and unabridged", "complete unabridged",
    "paperback",
    "hardcover", "hardback", "mass market paperback", "mass market", "trade paperback", "pbk",
    "hbk",
    "movie tie in edition", "movie tie in", "film tie in edition", "film tie in", "tv tie in",
    "media tie in", "tie in edition", "tie in", "netflix tie in", "tv tie in edition", "hbo tie in",
    "movie edition", "film edition", "the movie", "penguin classics", "penguin modern classics",
    "penguin classics deluxe edition", "oxford worlds classics", "oxford world s classics",
    "vintage classics", "modern library", "modern library classics", "everymans library",
    "everyman s library", "dover thrift editions", "signet classics", "bantam classics",
    "wordsworth classics", "barnes and noble classics", "norton critical edition",
    "norton critical editions", "a norton critical edition", "sf masterworks", "masterworks",
    "perennial classics", "harper perennial modern classics", "macmillan collectors library",
    "nyrb classics", "new york review books classics", "world classics", "illustrated edition",
    "illustrated", "illustrated by", "annotated edition", "annotated", "fully illustrated",
    "with illustrations", "deluxe edition", "deluxe", "collectors edition", "special edition",
    "limited edition", "gift edition", "international edition", "us edition", "uk edition",
    "revised edition", "revised and updated", "revised and updated edition", "revised", "updated",
    "updated edition", "expanded edition", "revised and expanded", "updated and expanded",
    "expanded", "new edition", "newly revised", "reissue", "reprint", "classic edition",
    "definitive edition", "authoritative text", "bilingual edition", "dual language edition",
    "english edition", "english language edition", "edition", "anniversary edition",
    "enhanced edition",
    "enhanced", "with bonus material", "bonus content", "signed edition", "exclusive edition",
    "target exclusive", "oprahs book club", "oprah s book club", "a read with jenna pick",
    "reeses book club", "reese s book club", "vintage international", "picador classics",
    "faber classics", "a novel", "novel", "a thriller", "a mystery", "a memoir", "memoir",
    "memoirs",
    "a romance", "a play", "plays", "poems", "stories", "short stories", "a novella", "novella",
    "a biography", "an autobiography", "autobiography", "essays", "a story", "a tale", "roman",
    "ein roman", "romanzo", "novela", "una novela", "thriller", "kriminalroman", "krimi",
    "erzahlung",
    "a fantasy novel", "a psychological thriller", "a true story", "a love story", "poetry",
    "a fable",
    "a novel in stories", "a short story", "stories and essays", "selected poems", "a fairy tale",
    "the new york times bestseller", "the sunday times bestseller", "the international bestseller",
    "the 1 new york times bestseller", "new york times bestseller", "a gripping thriller",
    "a detective story",
    "winner of the pulitzer prize", "winner of the booker prize", "pulitzer prize winner",
    "winner of the man booker prize", "the original edition", "original edition",
    "the original classic",
    "the original", "complete edition", "the complete edition", "authorized edition",
    "digital edition",
    "a play in 3 acts", "a play in 4 acts", "a play in 2 acts", "a play in 5 acts", "in 5 acts",
    "play in 3 acts", "roman policier", "a novel of suspense", "a crime novel",
    "a historical novel",
    "a novelette", "classics", "classic", "dvd", "cd", "mp3 cd", "spanish edition",
    "french edition",
    "german edition", "edicion espanola", "board book", "picture puffin", "hc", "tpb", "vintage",
    "virago modern classics", "broadview editions", "the unabridged edition", "the restored text",
    "restored edition", "the restored edition", "the corrected text", "restored text",
    "the graphic edition",
    "authors preferred text", "author s preferred text", "the authors preferred text",
    "the complete and uncut edition", "complete and uncut", "the uncut edition", "uncut edition",
    "a myth retold", "tor classics", "puffin classics", "collins classics", "arcturus classics",
    "audible audio edition", "audible", "library edition", "text", "texte integral", "folio",
    "livre de poche", "folio classique", "taschenbuch", "a cormoran strike novel",
    "scholastic classics",
    "a play in 1 act", "a comedy", "a tragedy", "a poem", "an epic poem", "a novel of love",
    "a western",
    "electronic", "1 volume", "single volume", "book", "a book", "printed text", "text print",
    "braille", "text in english",
  ].map { Numerals.digits(Words.of($0)) }.sorted { $0.count > $1.count }

  private static func table(_ rows: [(Kind, String)]) -> [String: [(phrase: [String], kind: Kind)]]
  {
    let all = rows.flatMap { kind, text in
      text.split(separator: "|").map { (phrase: Words.of($0), kind: kind) }
    }
    return Dictionary(grouping: all.filter { !$0.phrase.isEmpty }) { $0.phrase[0] }
  }

  static let silences = Set(noise)
}

extension [String] {
  func holds(_ phrase: [String]) -> Bool { position(of: phrase) != nil }

  func position(of phrase: [String]) -> Int? {
    guard !phrase.isEmpty, count >= phrase.count else { return nil }
    return (0...(count - phrase.count)).first { start in
      self[start] == phrase[0] && self[start..<(start + phrase.count)].elementsEqual(phrase)
    }
  }
}
