import Testing

@testable import ProviderKit

@Suite struct `A name in a catalogue` {
  @Test(arguments: [
    ("Ostrander, Marit", "Marit Ostrander"), ("McCain, John S. III", "John S. McCain III"),
    ("King, Martin Luther, Jr.", "Martin Luther King Jr."), ("Plato", "Plato"),
    ("Disney Press, Inc.", "Disney Press, Inc."), ("Lindqvist, Bruno ", "Bruno Lindqvist"),
    ("Sammy Davis, Jr.", "Sammy Davis Jr."), ("Bed, Bath, and Beyond", "Bed, Bath, and Beyond"),
    ("Nobody,", "Nobody,"), ("", ""),
  ])
  func `A name in a catalogue is said the other way round`(_ filed: String, spoken: String) {
    #expect(PersonName.spoken(filed) == spoken)
  }
}
