/// Names that stand in front of many titles: what follows the colon is the title.
enum Franchises {
  static func has(_ name: String) -> Bool { names.contains(name) }

  private static let names = Set(
    """
    star wars|star trek|doctor who|diary of wimpy kid|diary of a wimpy kid|dog man|percy jackson|
    halo|warriors|goosebumps|magic tree house|discworld|warhammer 40 000|warhammer 40k|minecraft|
    assassin s creed|assassins creed|harry potter|captain underpants|baby sitters club|naruto|
    one piece|bleach|wheel of time|lord of rings|lord of the rings|chronicles of narnia|dragonlance|
    forgotten realms|batman|superman|spider man|x men|avengers|justice league|bone|amulet|wings of fire|
    series of unfortunate events|a series of unfortunate events|hunger games|maze runner|divergent|
    nancy drew|hardy boys|tintin|adventures of tintin|asterix|thrawn|alex rider|artemis fowl|
    mortal instruments|infernal devices|dark tower|hitchhiker s guide to galaxy|buffy|firefly|
    walking dead|saga|fables|sandman|watchmen|berserk|death note|vampire diaries|pretty little liars|
    gossip girl|sweet valley high|animorphs|boxcar children|junie b jones|big nate|dork diaries|
    i survived|treehouse|treehouse books|how to train your dragon|39 clues|outlander|thursday next|
    resident evil|world of warcraft|starcraft|mass effect|dragon age|alien|aliens|predator|x files|
    csi|monk|murder she wrote|law and order|dune chronicles|expanse|his dark materials|
    chronicles of prydain|earthsea|earthsea cycle|sword of truth|shannara|dresden files|
    who was|dummies|calvin and hobbes|garfield|peanuts|adventure time|my little pony|pokemon|
    skulduggery pleasant|septimus heap|horrid henry|cherub|tom gates|malory towers|rivers of london|
    witcher|redwall|trials of apollo|kane chronicles|heroes of olympus|throne of glass|
    ranger s apprentice|rangers apprentice|inheritance cycle|spiderwick chronicles|deltora quest|
    beast quest|rainbow magic|famous five|secret seven|mr men|paddington|dungeons and dragons|
    magic the gathering|final fantasy|tomb raider|five nights at freddys|five nights at freddy s|
    stranger things|critical role|battletech|shadowrun|guardians of the galaxy|captain america|
    iron man|deadpool|black panther|wonder woman|green lantern|teenage mutant ninja turtles|
    transformers|hellboy|usagi yojimbo|lumberjanes|locke and key|hellblazer|swamp thing|
    horrible histories|horrible science|magic school bus|dear america|american girl|geronimo stilton|
    thea stilton|choose your own adventure|fighting fantasy|encyclopedia brown|amelia bedelia|
    berenstain bears|curious george|fancy nancy|pinkalicious|pete the cat|elephant and piggie|
    henry and mudge|mercy watson|ivy and bean|judy moody|bad guys|investigators|timmy failure|
    cat kid comic club|my weird school|who would win|who is|what was|where is|
    fullmetal alchemist|attack on titan|sailor moon|dragon ball|one punch man|my hero academia
    """.split(separator: "|").map {
      TitleReading.bare(Numerals.digits(Words.of($0)).joined(separator: " "))
    } + ["diary of 1 wimpy kid", "100"])
}
