/// Names that no rule brings together: pen names, and spellings that grew apart.
enum PenNames {
  /// Whether both are names of one writer. The names as they are commonly written.
  static func areOne(_ one: PersonName, _ two: PersonName) -> Bool {
    guard let numbers = places[one.root], !numbers.isDisjoint(with: places[two.root] ?? []) else {
      return false
    }
    return numbers.contains { number in
      let group = groups[number]
      return group.contains { $0.isSame(as: one) } && group.contains { $0.isSame(as: two) }
    }
  }

  /// Whether a writer of that name may have another.
  static func mayHold(_ name: PersonName) -> Bool { places[name.root] != nil }

  private static let places: [String: Set<Int>] = {
    var all: [String: Set<Int>] = [:]
    for (number, group) in groups.enumerated() {
      for name in group {
        all[name.root, default: []].insert(number)
        // Catalogues turn `Liu Cixin` round, or take it for turned.
        all[Spelling.skeleton(name.given.joined()), default: []].insert(number)
      }
    }
    return all
  }()

  private static let groups: [[PersonName]] = """
    J. K. Rowling|Robert Galbraith
    Stephen King|Richard Bachman
    Agatha Christie|Mary Westmacott
    Ruth Rendell|Barbara Vine
    Nora Roberts|J. D. Robb
    Mary Ann Evans|George Eliot|Marian Evans
    Samuel Clemens|Samuel Langhorne Clemens|Mark Twain
    Eric Arthur Blair|George Orwell
    Charles Lutwidge Dodgson|Lewis Carroll
    Charlotte Brontë|Currer Bell
    Emily Brontë|Ellis Bell
    Anne Brontë|Acton Bell
    Iain Banks|Iain M. Banks
    John Banville|Benjamin Black
    Julian Barnes|Dan Kavanagh
    Joyce Carol Oates|Rosamond Smith|Lauren Kelly
    Anne Rice|A. N. Roquelaure|Anne Rampling
    Evan Hunter|Ed McBain|Salvatore Lombino
    Donald E. Westlake|Richard Stark
    John Creasey|J. J. Marric
    Cecil Day-Lewis|Nicholas Blake
    David Cornwell|John le Carré
    Karen Blixen|Isak Dinesen
    François-Marie Arouet|Voltaire
    Marie-Henri Beyle|Stendhal
    Jean-Baptiste Poquelin|Molière
    Amantine Dupin|Aurore Dudevant|George Sand
    Romain Gary|Émile Ajar
    Theodor Geisel|Dr. Seuss|Theo. LeSieg
    Daniel Handler|Lemony Snicket
    Isaac Asimov|Paul French
    Alice Sheldon|James Tiptree
    Robin Hobb|Megan Lindholm
    Jayne Ann Krentz|Amanda Quick|Jayne Castle
    Dean Koontz|Leigh Nichols|Brian Coffey
    Michael Crichton|John Lange|Jeffery Hudson
    Patricia Highsmith|Claire Morgan
    Doris Lessing|Jane Somers
    Brian O'Nolan|Flann O'Brien
    Neftalí Reyes|Pablo Neruda
    Józef Korzeniowski|Joseph Conrad
    Hector Hugh Munro|Saki
    William Sydney Porter|O. Henry
    Eleanor Hibbert|Victoria Holt|Jean Plaidy|Philippa Carr
    Elizabeth Mertz|Barbara Michaels|Elizabeth Peters
    Louisa May Alcott|A. M. Barnard
    Aleksei Peshkov|Maxim Gorky
    Ursula Torday|Paula Allardyce
    Seanan McGuire|Mira Grant
    Daniel Abraham|M. L. N. Hanover
    Sophie Kinsella|Madeleine Wickham
    Ray Stannard Baker|David Grayson
    Alisa Rosenbaum|Ayn Rand
    J. I. M. Stewart|Michael Innes
    Josephine Tey|Gordon Daviot|Elizabeth MacKintosh
    Frederic Dannay|Ellery Queen
    Dante|Dante Alighieri|Dante Alegieri
    Virgil|Publius Vergilius Maro
    Ovid|Publius Ovidius Naso
    Horace|Quintus Horatius Flaccus
    Livy|Titus Livius
    Petrarch|Francesco Petrarca
    Naguib Mahfouz|Najīb Maḥfūẓ|Nagib Mahfuz
    Haruki Murakami|村上春樹|村上 春樹
    Banana Yoshimoto|吉本ばなな|よしもとばなな
    Yasunari Kawabata|川端康成
    Yukio Mishima|三島由紀夫
    Sōseki Natsume|夏目漱石|夏目 漱石
    Osamu Dazai|太宰治|太宰 治
    Keigo Higashino|東野圭吾
    Ryūnosuke Akutagawa|芥川龍之介
    Liu Cixin|劉慈欣|刘慈欣
    Mo Yan|莫言
    Yu Hua|余華|余华
    Lu Xun|鲁迅|魯迅|Lu Hsun
    Jin Yong|金庸|Louis Cha
    Han Kang|한강
    Li Bai|Li Po|Li Bo|Li Pai
    Du Fu|Tu Fu
    Luo Guanzhong|Lo, Kuan-chung|Lo, Guanzhong
    Cao Xueqin|Tsao, Hsueh-chin|Ts'ao, Hsüeh-ch'in
    Wu Cheng'en|Wu, Ch'eng-en
    Shi Nai'an|Shih, Nai-an
    Pu Songling|P'u, Sung-ling
    Zhuangzi|Chuang Tzu|Chuang-tzu|Zhuang Zhou
    Mencius|Mengzi|Meng-tzu
    Mao Zedong|Mao, Tse-tung
    Sima Qian|Ssu-ma, Ch'ien
    Amos Oz|עמוס עוז
    Carolyn Keene|Mildred Benson
    Pauline Réage|Anne Desclos|Dominique Aury
    John Rhode|Cecil Street|Miles Burton|Cecil John Charles Street
    Miguel de Cervantes|Miguel de Cervantes Saavedra|Cervantes Saavedra, Miguel de
    Franklin W. Dixon|Leslie McFarlane
    """.split(separator: "\n").map { line in
      line.split(separator: "|").compactMap { PersonName(String($0)) }
    }

  /// One spelling for all of a family name.
  static func canonical(_ root: String) -> String { variants[root] ?? root }

  /// Family names whose spellings differ by more than letters of another alphabet do.
  private static let variants = indexed(
    """
    chekhov tchekhov cechov tsjechov csehov tjechov tchekoff tchehov chekoff
    solzhenitsyn solschenizyn soljenitsyne solzenicyn solzjenitsyn
    dostoevsky dostoevskij dostoievski dostoyevsky dostojewski dostojevskij dosztojevszkij
    tolstoy tolstoi tolstoj tolstoï
    pushkin pouchkine puskin poesjkin
    gogol gogol'
    turgenev tourgueniev turgenjew toergenjev
    bulgakov boulgakov bulgakow boelgakov
    gorky gorki gorkij
    nabokov nabokow
    pasternak pasternac
    confucius kongzi
    laozi lao-tzu laotzu laotse lao-tse laotze
    sunzi sun-tzu suntzu sunwu suntse
    turgenev turgenieff tourgueneff turgeneff
    tolstoy tolstoij
    lermontov lermontoff
    andreyev andreieff
    mahfouz mahfuz
    khayyam chajjam hayyam
    zamyatin samjatin zamiatine zamjatin
    homer homere homero omero homeros
    plato platon platone
    kazantzakis kazantzakes kazantzaki kasantzakis kazantsakis καζαντζακης
    cavafy kavafis kavaphes
    aristotle aristoteles aristote
    virgil vergil vergilius
    """)

  /// Forms of one given name that are more than its beginning apart.
  static func areForms(_ one: String, _ two: String) -> Bool {
    guard let mine = forms[one], let theirs = forms[two] else { return false }
    return !mine.isDisjoint(with: theirs)
  }

  private static let forms: [String: Set<Int>] = {
    let text = """
      fyodor fedor fjodor feodor fiodor theodor
      leo lev leon lew lyof lyev lyoff léon
      alexander aleksandr alexandre alessandro alex sasha sandy
      nikolai nikolay nicolas nicolai
      mikhail michail mihail michael mike mick
      anton antón antoine
      william bill will billy willie
      robert bob rob robbie bobby
      richard rick dick rich
      james jim jimmy jamie
      thomas tom tommy
      edward ed ned eddie ted
      joseph joe józef jo
      charles charlie chuck
      elizabeth liz beth eliza betty lisa
      katherine catherine kate kathy cathy katharine kathryn
      margaret maggie peggy meg
      daniel dan danny
      david dave
      stephen steven steve
      samuel sam
      benjamin ben
      christopher chris kit
      andrew andy drew
      anthony tony
      jonathan jon
      john jack johnny
      timothy tim
      matthew matt
      peter pete
      patrick pat
      frederick fred freddie
      terence terry
      kenneth ken
      ronald ron
      donald don
      douglas doug
      gregory greg
      philip phil
      lawrence larry
      susan sue
      deborah debbie deb
      jennifer jen jenny
      rebecca becky
      victoria vicki
      abigail abby
      geoffrey jeff geoff jeffrey
      maxim maksim
      ivan iwan
      boris borys
      sergei sergey
      yevgeny evgeny eugene evgenii jewgenij
      vladimir wladimir volodymyr
      alan allan allen
      """
    var all: [String: Set<Int>] = [:]
    for (index, line) in text.split(separator: "\n").enumerated() {
      for word in line.split(separator: " ") {
        let folded = Words.of(word).joined()
        all[folded, default: []].insert(index)
        all[Spelling.skeleton(folded), default: []].insert(index)
      }
    }
    return all
  }()

  private static func indexed(_ text: String) -> [String: String] {
    var all: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let spellings = line.split(separator: " ").map {
        Spelling.skeleton(Words.of($0).joined())
      }
      for spelling in spellings {
        all[spelling] = spellings[0]
      }
    }
    return all
  }
}
