// Translates ids into words for people: the checks of a change, and its effect on behaviour. JSON output contains the
// ids.

import { gateWords } from './gateWords.ts';

/** The words for a check. */
export interface CheckWords {
  /** The name, as a heading. */
  readonly label: string;
  /** What it means if the check passes, as one sentence. */
  readonly meaning: string;
}

/** The words for each check, by the id of its gate. */
export const checkWords: Readonly<Record<string, CheckWords>> = gateWords;

/** The label of a check, such as "Same behaviour" for `differential`; an unknown id is returned unchanged. */
export function checkLabel(gate: string): string {
  return checkWords[gate]?.label ?? gate;
}

/**
 * Replaces the id of a check at the start of a reason by the label of the check: "tests: 2 failed" → "Tests: 2 failed".
 */
export function plainReason(reason: string): string {
  return reason.replace(/^([a-z]+)(?=: )/, (gate) => checkLabel(gate));
}

/** The words for the effect of a change, by its safety. */
const effectTexts: Readonly<Record<string, string>> = {
  additive: 'only adds',
  behaviorPreserving: 'keeps what the code does',
  behaviorChanging: 'may change what the code does',
  critical: 'edits tests, settings or what a build reads',
};

/**
 * The effect of a change on users of the code, as the end of a sentence. Three recipes have texts of their own: one
 * removes an export that nothing is known to import, one edits only documentation, and one only adds tests.
 * `isShownSame`: true if the comparison of old and new code has shown that both do the same.
 */
export function describeEffect({
  safety,
  recipe,
  isShownSame = false,
}: {
  readonly safety: string;
  readonly recipe: string;
  readonly isShownSame?: boolean | undefined;
}): string {
  if (recipe === 'unexport' && safety === 'behaviorChanging') return 'no longer exports a name';
  if (recipe === 'correct-example') return 'only corrects documentation';
  if (recipe === 'characterization-test' && safety === 'critical') return 'only adds tests';
  if (safety === 'behaviorChanging' && isShownSame) return 'was shown to keep what the code does';
  return effectTexts[safety] ?? safety;
}
