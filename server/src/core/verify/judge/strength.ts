// Decides how strongly the verdicts show that a judged change does no harm. The weakest part of the change decides.

import type { Strength, Verdict } from '../../model.ts';
import type { TreeChange } from '../../model/judgement.ts';
import { HIDDEN_KEY, provesEquivalence } from '../../model/proofs.ts';
import { isProse } from '../../paths/nonSourcePaths.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { determineStrength, ranOnlyInPart } from '../strength.ts';
import { isLeftOut } from './quick.ts';
import { changesOnlyProse, changesOnlyTexts, listReadTexts, isProseOrPicture } from './files/prose.ts';

/**
 * The strength of a change by an unknown author. Mutants exist only in existing lines, so they cannot test what a
 * change removes. Therefore, a change is `proven` only by the comparison of old and new code, if none of its code may
 * hide a fault from generated calls, or if it changes only prose and pictures that nothing reads. Texts and pictures
 * that are data have no lines that tests reach, so they are `tested` if all tests passed with them. If a quick
 * judgement omits a gate, code and data are at most `checked`. `changesPackages`: true if the change determines which
 * packages are installed, which no comparison of code shows.
 */
export function determineJudgedStrength(
  verdicts: readonly Verdict[],
  change: TreeChange,
  changesPackages = false,
): Strength {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'unchecked';
  const { edits, bytes, left } = change;
  const unexaminedFiles = [...bytes.filter(({ path }) => !edits.some((edit) => edit.path === path)), ...left].filter(
    ({ path }) => !isProseOrPicture(path),
  );
  if (unexaminedFiles.length > 0) return 'unchecked';
  const code = edits.filter(({ path }) => !isProse(path));
  if (changesOnlyProse(change)) return verdicts.some(({ gate }) => gate === 'applies') ? 'proven' : 'unchecked';
  const isTestedData = changesOnlyTexts(change) && left.length === 0 && haveAllTestsPassed(verdicts);
  const strength = isTestedData ? 'tested' : (determineStrength(verdicts) ?? 'unchecked');
  if (strength !== 'unchecked' && verdicts.some(isLeftOut)) return 'checked';
  if (strength !== 'proven') return strength;
  // Tests, settings and data are not compared.
  const hasData = listReadTexts(change).length > 0;
  const isWhollyCompared = !changesPackages && !hasData && code.every((edit) => !isTestEdit(edit));
  const hidesFaults = verdicts.some(({ evidence }) => evidence[HIDDEN_KEY] !== undefined);
  if (verdicts.some(provesEquivalence) && isWhollyCompared && !hidesFaults) return 'proven';
  const strengthWithoutComparison =
    determineStrength(verdicts.filter(({ gate }) => gate !== 'differential').map(removePass)) ?? 'unchecked';
  return hasData && strengthWithoutComparison === 'proven' ? 'tested' : strengthWithoutComparison;
}

/** True if all tests of the repository ran with the change, and passed. */
function haveAllTestsPassed(verdicts: readonly Verdict[]): boolean {
  const tests = verdicts.find(({ gate, outcome }) => gate === 'tests' && outcome === 'passed');
  return tests !== undefined && tests.evidence['passed'] !== 0 && !ranOnlyInPart(verdicts);
}

/**
 * Makes a verdict of the gate guard unknown, which keeps its evidence about what the tests reach. Other verdicts stay.
 */
function removePass(verdict: Verdict): Verdict {
  return verdict.gate === 'guard' ? { ...verdict, outcome: 'unknown' } : verdict;
}
