// Comparisons, and the others by which a mutant replaces each, in languages that write them as C does.

/** By Offutt's sufficient set (TOSEM 1996). */
export const RELATION_REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
};
