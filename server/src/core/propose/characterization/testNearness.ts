// Rates how closely a test file is related to a function.

import { posix } from 'node:path';
import { testSuffix } from '../../paths/tests.ts';
import { memberOfStep, type Case } from './caseText.ts';

/** The maximum number of uses that count, and the score of any use, which exceeds all other scores. */
const [MAX_USES, USED] = [99, 1_000];

interface GuardedFunction {
  readonly path: string;
  readonly name: string;
  /** The subject of the tests: `Stack.size` for a member. */
  readonly about: string;
  readonly cases: readonly Case[];
}

/**
 * Rates how closely a test file is related to the function; higher is closer. A file that uses the function comes
 * first. Among those, a file that is named after the function or its file does, then the one that uses it most often.
 */
export function rateNearness(
  { path, text }: { readonly path: string; readonly text: string },
  guarded: GuardedFunction,
): number {
  const used = usedName(guarded);
  const plainStem = (name: string) => name.toLowerCase().replace(/[-_.]|s$/g, '');
  const names = [used, guarded.name, stemOf(guarded.path)].map(plainStem);
  const stem = stemOf(path);
  // A test file `api.parse` is named after `parse`, but less so than one that is called `parse`.
  const placeOf = (part: string) => (names.includes(part) ? names.indexOf(part) : names.length);
  const ofStem = placeOf(plainStem(stem));
  const ofParts = Math.min(...stem.split(/[^a-z0-9]+/).map((part) => placeOf(plainStem(part)) + 0.5));
  const ofName = Math.max(0, names.length - Math.min(ofStem, ofParts));
  const uses = Math.min(MAX_USES, text.split(wordPattern(used)).length - 1);
  return (uses > 0 ? USED : 0) + ofName * MAX_USES + uses;
}

/** What the tests of these cases use: the member of the class or of the last step, otherwise the function. */
function usedName({ about, name, cases }: GuardedFunction): string {
  const last = cases[0]?.steps?.at(-1);
  if (last) return memberOfStep(last) ?? name;
  return about.slice(about.lastIndexOf('.') + 1);
}

function wordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\w$])${word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}(?![\\w$])`);
}

/** `parse` for `src/parse.test.ts`. */
export function stemOf(path: string): string {
  const name = posix.basename(path);
  return name.slice(0, -(testSuffix(name) ?? posix.extname(name)).length).toLowerCase();
}
