#pragma once
#include <zint.h>

// Whether there is a bar at this place of a symbol's only row: the rows are an array of arrays, which
// Swift sees as one tuple of thousands.
static inline int carrel_zint_bar(const struct zint_symbol *symbol, int place) {
  return (symbol->encoded_data[0][place >> 3] >> (place & 7)) & 1;
}

// The same of one row of a square symbol.
static inline int carrel_zint_module(const struct zint_symbol *symbol, int row, int place) {
  return (symbol->encoded_data[row][place >> 3] >> (place & 7)) & 1;
}
