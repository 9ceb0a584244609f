#pragma once
// First, because libhyphen's own header takes FILE for known.
#include <stdio.h>
#include <hyphen.h>
