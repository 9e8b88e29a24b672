// Normalises names as people write them, and rates how well a definition matches.

import type { SymbolInfo } from '../../model.ts';

/** Factor for a name that differs from the wanted one in upper and lower case. */
const CASE_DIFFERS_FACTOR = 0.7;
/** Factor for a definition in another scope than the wanted one. */
const OTHER_SCOPE_FACTOR = 0.5;
/** Factor for a definition that is not exported. */
const NOT_EXPORTED_FACTOR = 0.9;

/** The name in lower case, without leading marks for "private" or "internal": `$ZodType` and `_zodType` → zodtype. */
export function normaliseName(name: string): string {
  return name.toLowerCase().replace(/^[_$@]+(?=.)/, '');
}

/**
 * Rates from 0 to 1 how well a definition matches, if its plain name equals the plain name of the last of
 * `wantedParts`: `Store.get` → [Store, get].
 */
export function rateExactness({ name, path, exported }: SymbolInfo, wantedParts: readonly string[]): number {
  const spellingFactor = name === wantedParts.at(-1) ? 1 : CASE_DIFFERS_FACTOR;
  const scopeFactor =
    wantedParts.length === 1 || `.${path}`.toLowerCase().endsWith(`.${wantedParts.join('.')}`.toLowerCase())
      ? 1
      : OTHER_SCOPE_FACTOR;
  return spellingFactor * scopeFactor * (exported ? 1 : NOT_EXPORTED_FACTOR);
}
