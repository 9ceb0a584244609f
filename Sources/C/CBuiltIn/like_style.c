#include "file.h"

static const unsigned char bytes[] = {
#embed "../../Surfaces/Web/Reader/Assets/like.css"
};
CARREL_BUILDS_IN(like_style)
