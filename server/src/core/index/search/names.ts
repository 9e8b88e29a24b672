// Names as a person asks for them, and how well a definition matches one.

import type { SymbolInfo } from '../../model.ts';

const OTHER_SPELLING = 0.7;
const OTHER_SCOPE = 0.5;
const NOT_EXPORTED = 0.9;

/** In lower case, without the marks in front that say "private" or "internal": `$ZodType` and `_zodType` → zodtype. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/^[_$@]+(?=.)/, '');
}

/** 0–1 for a definition whose plain name is that of the last part of `wanted`: `Store.get` → [Store, get]. */
export function exactness({ name, path, exported }: SymbolInfo, wanted: readonly string[]): number {
  const spelling = name === wanted.at(-1) ? 1 : OTHER_SPELLING;
  const scope = wanted.length === 1 || path.toLowerCase().endsWith(wanted.join('.').toLowerCase()) ? 1 : OTHER_SCOPE;
  return spelling * scope * (exported ? 1 : NOT_EXPORTED);
}
