// Decides how strongly the verdicts show that a judged change does no harm: as strongly as they do for its weakest
// part.

import type { Strength, Verdict } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import { provesSame } from '../../model/proofs.ts';
import { isProse } from '../../paths/others.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { strengthOf } from '../strength.ts';

/** Files that people look at and nothing runs. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|ico|pdf|mp4|webm)$/i;

/**
 * Mutants can only be put into existing lines, so they cannot test what a change removes. Therefore only the comparison
 * makes the change of an unknown author `proven`: the code does what it did before. So is a change of prose alone.
 */
export function strengthOfJudged(
  verdicts: readonly Verdict[],
  { edits, bytes, left }: TreeChange,
  changesPackages = false,
): Strength {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'unchecked';
  const unexamined = [...bytes.filter(({ path }) => !edits.some((edit) => edit.path === path)), ...left].filter(
    ({ path }) => !isProse(path) && !PICTURE.test(path),
  );
  if (unexamined.length > 0) return 'unchecked';
  const code = edits.filter(({ path }) => !isProse(path));
  if (code.length === 0) return verdicts.some(({ gate }) => gate === 'applies') ? 'proven' : 'unchecked';
  const strength = strengthOf(verdicts) ?? 'unchecked';
  if (strength !== 'proven') return strength;
  // Tests and settings are not compared.
  const isWhole = !changesPackages && code.every((edit) => !isTestEdit(edit));
  if (verdicts.some(provesSame) && isWhole) return 'proven';
  return strengthOf(verdicts.filter(({ gate }) => gate !== 'differential').map(withoutPass)) ?? 'unchecked';
}

/** The verdict without its pass; its evidence of what tests reach stays. */
function withoutPass(verdict: Verdict): Verdict {
  return verdict.gate === 'guard' ? { ...verdict, outcome: 'unknown' } : verdict;
}
