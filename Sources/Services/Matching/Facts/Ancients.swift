/// Works without an author, which go under the name of whoever translated or edited them.
enum Ancients {
  static func has(_ name: String) -> Bool { names.contains(name) }

  private static let names: Set<String> = [
    "beowulf", "epic of gilgamesh", "gilgamesh", "odyssey", "iliad", "bible", "holy bible", "koran",
    "quran", "bhagavad gita", "mahabharata", "ramayana", "arabian nights", "1001 nights",
    "upanishads",
    "1000 and 1 nights", "tao te ching", "i ching", "sir gawain and green knight", "prose edda",
    "sir gawain and the green knight", "poetic edda", "song of roland", "mabinogion", "tain",
    "nibelungenlied", "dhammapada", "egyptian book of the dead", "tibetan book of the dead",
    "book of the dead", "popol vuh", "kalevala", "poem of the cid", "everyman", "njals saga",
    "egils saga", "saga of the volsungs", "aesops fables", "fables", "pancatantra",
    "cloud of unknowing",
    "the cloud of unknowing", "book of common prayer", "torah", "apocrypha", "book of enoch",
  ]
}
