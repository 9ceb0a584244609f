#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Domain/Shelving/genres.txt"
};
CARREL_BUILDS_IN(genres)
