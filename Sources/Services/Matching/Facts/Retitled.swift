/// Works that are sold under several titles in one language. Each line: the family name of the
/// author, then the titles.
enum Retitled {
  static func areOne(_ one: TitleReading, _ two: TitleReading, root: String) -> Bool {
    guard let groups = works[root] else { return false }
    let (mine, theirs) = (names(one), names(two))
    return groups.contains { !$0.isDisjoint(with: mine) && !$0.isDisjoint(with: theirs) }
  }

  /// Names of the works that are known to be sold under this title and others.
  static func keys(_ title: TitleReading, root: String) -> [String] {
    guard let groups = works[root] else { return [] }
    let names = names(title)
    return groups.indices.filter { !groups[$0].isDisjoint(with: names) }.map { "r:\(root):\($0)" }
  }

  private static func names(_ title: TitleReading) -> Set<String> {
    Set([title.main.joined(), title.full.joined()])
  }

  private static let works: [String: [Set<String>]] = {
    var all: [String: [Set<String>]] = [:]
    for line in table.split(separator: "\n") {
      let cells = line.split(separator: "|")
      guard let family = cells.first else { continue }
      let titles = cells.dropFirst().map {
        TitleReading.withoutArticle(Numerals.digits(Words.of($0))).joined()
      }
      all[Spelling.skeleton(Words.of(family).joined()), default: []].append(Set(titles))
    }
    return all
  }()

  private static let table = """
    Rowling|Harry Potter and the Philosopher's Stone|Harry Potter and the Sorcerer's Stone
    Pullman|Northern Lights|The Golden Compass
    Christie|And Then There Were None|Ten Little Indians
    Christie|Murder on the Orient Express|Murder in the Calais Coach
    Christie|Death in the Clouds|Death in the Air
    Christie|The ABC Murders|The Alphabet Murders
    Christie|Lord Edgware Dies|Thirteen at Dinner
    Christie|Dumb Witness|Poirot Loses a Client
    Christie|One, Two, Buckle My Shoe|The Patriotic Murders|An Overdose of Death
    Christie|Five Little Pigs|Murder in Retrospect
    Christie|The Hollow|Murder After Hours
    Christie|Taken at the Flood|There Is a Tide
    Christie|Mrs McGinty's Dead|Blood Will Tell
    Christie|After the Funeral|Funerals Are Fatal
    Christie|Hickory Dickory Dock|Hickory Dickory Death
    Christie|4.50 from Paddington|What Mrs. McGillicuddy Saw!
    Christie|Sparkling Cyanide|Remembered Death
    Christie|The Sittaford Mystery|The Murder at Hazelmoor
    Christie|Why Didn't They Ask Evans?|The Boomerang Clue
    Christie|Three Act Tragedy|Murder in Three Acts
    Christie|Hercule Poirot's Christmas|Murder for Christmas|A Holiday for Murder
    Christie|They Do It with Mirrors|Murder with Mirrors
    Christie|The Mirror Crack'd from Side to Side|The Mirror Crack'd
    Larsson|The Girl Who Kicked the Hornets' Nest|The Girl Who Kicked the Hornet's Nest
    Bester|The Stars My Destination|Tiger! Tiger!|Tiger Tiger
    Hill|The Book of Negroes|Someone Knows My Name
    Keneally|Schindler's Ark|Schindler's List
    Levi|If This Is a Man|Survival in Auschwitz
    Levi|The Truce|The Reawakening
    Frank|The Diary of a Young Girl|The Diary of Anne Frank|Anne Frank: The Diary of a Young Girl
    Proust|In Search of Lost Time|Remembrance of Things Past
    Proust|Within a Budding Grove|In the Shadow of Young Girls in Flower
    Camus|The Stranger|The Outsider
    Dostoevsky|Demons|The Possessed|The Devils
    Dostoevsky|Notes from Underground|Notes from the Underground
    Dostoevsky|The House of the Dead|Notes from a Dead House
    Dostoevsky|The Brothers Karamazov|The Karamazov Brothers
    Turgenev|Fathers and Sons|Fathers and Children
    Hugo|The Hunchback of Notre-Dame|Notre-Dame de Paris|The Hunchback of Notre Dame
    Twain|The Adventures of Tom Sawyer|Tom Sawyer
    Twain|Adventures of Huckleberry Finn|Huckleberry Finn|The Adventures of Huck Finn
    Carroll|Alice's Adventures in Wonderland|Alice in Wonderland
    Carroll|Through the Looking-Glass, and What Alice Found There|Through the Looking-Glass
    Defoe|Robinson Crusoe|The Life and Adventures of Robinson Crusoe
    Defoe|Moll Flanders|The Fortunes and Misfortunes of the Famous Moll Flanders
    Swift|Gulliver's Travels|Travels into Several Remote Nations of the World
    Stevenson|Strange Case of Dr Jekyll and Mr Hyde|Dr Jekyll and Mr Hyde|Jekyll and Hyde
    Stevenson|Strange Case of Dr Jekyll and Mr Hyde|The Strange Case of Dr. Jekyll and Mr. Hyde
    Dickens|David Copperfield|The Personal History of David Copperfield
    Dickens|The Pickwick Papers|The Posthumous Papers of the Pickwick Club
    Dickens|Oliver Twist|The Adventures of Oliver Twist
    Dickens|Nicholas Nickleby|The Life and Adventures of Nicholas Nickleby
    Dickens|Martin Chuzzlewit|The Life and Adventures of Martin Chuzzlewit
    Sterne|Tristram Shandy|The Life and Opinions of Tristram Shandy, Gentleman
    Fielding|Tom Jones|The History of Tom Jones, a Foundling
    Shakespeare|Hamlet|The Tragedy of Hamlet, Prince of Denmark|Hamlet, Prince of Denmark
    Shakespeare|Henry IV|King Henry IV
    Shakespeare|Henry V|King Henry V|The Life of King Henry the Fifth
    Shakespeare|Henry VI|King Henry VI
    Shakespeare|Henry VIII|King Henry VIII
    Shakespeare|Richard II|King Richard II|The Tragedy of King Richard II
    Shakespeare|Richard III|King Richard III|The Tragedy of Richard III
    Shakespeare|Macbeth|The Tragedy of Macbeth
    Shakespeare|Othello|Othello, the Moor of Venice|The Tragedy of Othello, the Moor of Venice
    Shakespeare|Romeo and Juliet|The Tragedy of Romeo and Juliet
    Shakespeare|King Lear|The Tragedy of King Lear
    Shakespeare|Julius Caesar|The Tragedy of Julius Caesar
    Shakespeare|Pericles|Pericles, Prince of Tyre
    Cervantes|Don Quixote|The Ingenious Gentleman Don Quixote of La Mancha|Don Quijote
    Cervantes|Don Quixote|Don Quixote of La Mancha|Don Quijote de la Mancha
    Verne|Twenty Thousand Leagues Under the Sea|20,000 Leagues Under the Sea
    Verne|Around the World in Eighty Days|Around the World in 80 Days
    Verne|Journey to the Center of the Earth|A Journey to the Centre of the Earth
    Dick|Do Androids Dream of Electric Sheep?|Blade Runner
    Orwell|Nineteen Eighty-Four|1984
    Hoeg|Smilla's Sense of Snow|Miss Smilla's Feeling for Snow
    Golding|Lord of the Flies|The Lord of the Flies
    Bryson|Notes from a Big Country|I'm a Stranger Here Myself
    Bryson|Down Under|In a Sunburned Country
    Kinsella|The Secret Dreamworld of a Shopaholic|Confessions of a Shopaholic
    Turton|The Seven Deaths of Evelyn Hardcastle|The 7 1/2 Deaths of Evelyn Hardcastle|The 7½ Deaths of Evelyn Hardcastle
    Follett|Storm Island|Eye of the Needle
    Fleming|Moonraker|Too Hot to Handle
    Fleming|Casino Royale|You Asked for It
    Forester|The Happy Return|Beat to Quarters
    Asimov|The Stars, Like Dust|The Rebellious Stars
    Asimov|Foundation|The 1,000-Year Plan
    Wyndham|The Day of the Triffids|Revolt of the Triffids
    Wyndham|The Kraken Wakes|Out of the Deeps
    Wyndham|The Chrysalids|Re-Birth|Rebirth
    Wyndham|The Midwich Cuckoos|Village of the Damned
    Jackson|The Haunting of Hill House|The Haunting
    Highsmith|The Price of Salt|Carol
    Confucius|The Analects|Analects of Confucius
    Laozi|Tao Te Ching|Dao De Jing|Daodejing
    Sunzi|The Art of War|Sun Tzu on the Art of War
    Aurelius|Meditations|The Meditations of Marcus Aurelius
    Augustine|Confessions|The Confessions of St. Augustine|Confessions of Saint Augustine
    Franklin|The Autobiography of Benjamin Franklin|Autobiography of Benjamin Franklin
    Dante|Inferno|Dante's Inferno|The Inferno
    Darwin|On the Origin of Species|The Origin of Species
    Smith|The Wealth of Nations|An Inquiry into the Nature and Causes of the Wealth of Nations
    Wodehouse|Right Ho, Jeeves|Brinkley Manor
    Wodehouse|Joy in the Morning|Jeeves in the Morning
    Lofting|The Story of Doctor Dolittle|Doctor Dolittle
    Collodi|The Adventures of Pinocchio|Pinocchio
    Barrie|Peter Pan|Peter and Wendy
    Baum|The Wonderful Wizard of Oz|The Wizard of Oz
    Shute|A Town Like Alice|The Legacy
    Vian|Froth on the Daydream|Foam of the Daze|Mood Indigo
    Aaronovitch|Rivers of London|Midnight Riot
    Swarup|Q & A|Slumdog Millionaire
    Heller|What Was She Thinking?|Notes on a Scandal|What Was She Thinking? Notes on a Scandal
    Rankin|Fleshmarket Close|Fleshmarket Alley
    Boyne|The Boy in the Striped Pyjamas|The Boy in the Striped Pajamas
    Gabaldon|Cross Stitch|Outlander
    Christie|Destination Unknown|So Many Steps to Death
    Wodehouse|Aunts Aren't Gentlemen|The Cat-Nappers
    Wodehouse|Jeeves and the Feudal Spirit|Bertie Wooster Sees It Through
    Sepetys|Between Shades of Gray|Ashes in the Snow
    Sun|The Art of War|Sun Tzu on the Art of War
    Tzu|The Art of War|Sun Tzu on the Art of War
    Simenon|The Yellow Dog|A Face for a Clue|Maigret and the Yellow Dog
    Simenon|Pietr the Latvian|Maigret and the Enigmatic Lett|The Strange Case of Peter the Lett
    """
}
