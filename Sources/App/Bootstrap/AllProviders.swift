import Axis360
import OverDrive
import ProviderKit

/// Every provider there is; a new one is a line here.
let allProviders: [ProviderListing] = [
  OverDriveProvider.listing, Axis360Provider.listing,
]
