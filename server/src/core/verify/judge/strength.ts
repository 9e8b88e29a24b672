// How strongly the verdicts show that a judged change does no harm: it is as strong as its weakest part.

import type { Strength, Verdict } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import { isProse } from '../../paths/others.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { strengthOf } from '../strength.ts';

/** Files that people look at, and nothing runs. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|ico|pdf|mp4|webm)$/i;

/**
 * Mutants can be put only into lines that are there. A change that leaves something out has no such line, so whoever
 * is not known gets `proven` for nothing but the comparison: the code does what it did before.
 */
export function strengthOfJudged(
  verdicts: readonly Verdict[],
  { edits, bytes, left }: TreeChange,
  changesPackages = false,
): Strength {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'unchecked';
  const unseen = [...bytes.filter(({ path }) => !edits.some((edit) => edit.path === path)), ...left].filter(
    ({ path }) => !isProse(path) && !PICTURE.test(path),
  );
  if (unseen.length > 0) return 'unchecked';
  const code = edits.filter(({ path }) => !isProse(path));
  if (code.length === 0) return verdicts.some(({ gate }) => gate === 'applies') ? 'proven' : 'unchecked';
  const strength = strengthOf(verdicts) ?? 'unchecked';
  if (strength !== 'proven') return strength;
  // Tests and settings are no code that the comparison looks at.
  const isWhole = !changesPackages && code.every((edit) => !isTestEdit(edit));
  const isSame = verdicts.some(({ gate, outcome }) => gate === 'differential' && outcome === 'passed');
  if (isSame && isWhole) return 'proven';
  return strengthOf(verdicts.filter(({ gate }) => gate !== 'differential').map(withoutPass)) ?? 'unchecked';
}

/** What the mutants have seen of the tests' reach stays. */
function withoutPass(verdict: Verdict): Verdict {
  return verdict.gate === 'guard' ? { ...verdict, outcome: 'unknown' } : verdict;
}
