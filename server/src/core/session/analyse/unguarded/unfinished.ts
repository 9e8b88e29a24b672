// Stores what a search that ran out of time has learned about mutants, so that the next search of the same code
// continues there.

import { sha256 } from '../../../../util/hash.ts';
import type { Mutant } from '../../../verify/guard/planMutants.ts';
import type { SessionContext } from '../../context.ts';
import { findReachingTests } from '../../verify/reachingTests.ts';
import type { KeptUnguarded } from './unguardedMistakes.ts';
import { mutantKey } from './mutantKeys.ts';
import type { FoundInFiles, Search } from './search.ts';

type State = SessionContext['state'];
type KnownStatuses = Pick<KeptUnguarded, 'noticed' | 'survived'>;

/**
 * The mutants among `mutants` that survived in an unfinished search of the same code with the same tests: only their
 * calls are missing.
 */
export function findEarlierSurvivors(
  { repeatedFiles, keptByPath, grounds, context: { state } }: Search,
  mutants: readonly Mutant[],
): ReadonlySet<Mutant> {
  const keys = new Set<string>();
  for (const path of new Set(mutants.map((mutant) => mutant.path))) {
    const keptFile = keptByPath.get(path);
    if (!keptFile?.survived || repeatedFiles.has(path) || !grounds.isSame(path, keptFile)) continue;
    if (keptFile.survived.tests === computeTestsKey(state, path))
      for (const key of keptFile.survived.keys) keys.add(`${path} ${key}`);
  }
  return new Set(mutants.filter((mutant) => keys.has(`${mutant.path} ${mutantKey(mutant)}`)));
}

/**
 * Selects the statuses of mutants to store with a file. `earlier`: the statuses from earlier searches of the same code.
 * `isFinished`: true if no search has to continue; then only noticed mutants are stored.
 */
export function selectStatusesToStore(
  state: State,
  path: string,
  findings: FoundInFiles,
  earlier: KnownStatuses | undefined,
  isFinished: boolean,
): KnownStatuses {
  const noticed = [...new Set([...(earlier?.noticed ?? []), ...(findings.noticed?.get(path) ?? [])])];
  if (isFinished) return { noticed };
  const tests = computeTestsKey(state, path);
  const earlierKeys = earlier?.survived?.tests === tests ? earlier.survived.keys : [];
  const keys = [...new Set([...earlierKeys, ...(findings.missed?.get(path) ?? [])])];
  return { noticed, ...(keys.length > 0 ? { survived: { tests, keys } } : {}) };
}

/** True if `knownNow` has more mutants than `earlier`. */
export function knowsMore(knownNow: KnownStatuses, earlier: KnownStatuses | undefined): boolean {
  const countKnown = ({ noticed, survived }: KnownStatuses) => (noticed?.length ?? 0) + (survived?.keys.length ?? 0);
  return countKnown(knownNow) > (earlier ? countKnown(earlier) : 0);
}

/**
 * Hash of the tests that reach the file now. If it has changed, survivors are no longer known, because an additional
 * test may notice them.
 */
function computeTestsKey({ imports, analyses }: State, path: string): string {
  const tests = findReachingTests(imports, [path]).toSorted();
  const text = JSON.stringify(tests.map((test) => [test, analyses.get(test)?.hash ?? null]));
  return sha256(new TextEncoder().encode(text)).slice(0, 16);
}
