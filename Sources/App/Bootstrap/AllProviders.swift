import Axis360
import BiblioCommons
import BookWyrm
import CloudLibrary
import Goodreads
import GoogleBooks
import Gutenberg
import HathiTrust
import LibraryDesk
import OPDSLibrary
import OpenLibrary
import OverDrive
import ProviderKit

/// Every provider there is; a new one is a line here.
let allProviders: [ProviderListing] = [
  OverDriveProvider.listing,
  CloudLibraryProvider.listing,
  Axis360Provider.listing,
  OPDSLibraryProvider.listing,
  GutenbergProvider.listing,
  HathiTrustProvider.listing,
  LibraryDeskProvider.listing,
  BiblioCommonsProvider.listing,
  GoodreadsProvider.listing,
  GoodreadsFeedProvider.listing,
  BookWyrmProvider.listing,
  GoogleBooksProvider.listing,
  OpenLibraryProvider.listing,
]
