import CloudLibrary
import OverDrive
import ProviderKit

/// Every provider there is; a new one is a line here.
let allProviders: [ProviderListing] = [
  CloudLibraryProvider.listing,
  OverDriveProvider.listing,
]
