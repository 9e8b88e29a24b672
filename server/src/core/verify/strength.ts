// How strongly the verdicts show that a change does no harm, as one word.

import type { Proposal, Strength, Verdict } from '../model.ts';
import type { GateName } from '../model/gates.ts';

import { isPutOff } from './busy.ts';
import { KIND } from './claims/shown.ts';

type Told = Pick<Verdict, 'gate' | 'outcome' | 'evidence'>;

const MEANINGS: Readonly<Record<Exclude<Strength, 'proven'>, string>> = {
  tested: 'The tests that run this code pass.',
  checked: 'Only the type check or the linter looked at it; no test is known to run this code.',
  unchecked: 'No test, type check or linter has shown anything about it.',
};

const SAME_BEHAVIOUR = 'The code was shown to do what it did before.';
const TESTS_ADD = 'Its tests were shown to notice a mistake that no other test notices.';
const TESTS_NOTICE = 'Its tests were shown to notice mistakes in these lines.';

/** For a person: what the word means for this proposal, in one sentence; for `proven`, what proved it. */
export function strengthMeaning(strength: Strength, verdicts: readonly Told[]): string {
  if (strength !== 'proven') return MEANINGS[strength];
  if (hasPassed(verdicts, 'differential')) return SAME_BEHAVIOUR;
  return hasPassed(verdicts, 'guard') || !testsShown(verdicts) ? TESTS_NOTICE : TESTS_ADD;
}

const WITHOUT_STRENGTH: ReadonlySet<Proposal['status']> = new Set([
  'proposed',
  'verifying',
  'refused',
  'rejected',
  'rolledBack',
]);

/**
 * Null as long as there are no verdicts. Whatever a failed gate stopped is `unchecked`, and tests that are not known to
 * reach all places of the change say nothing of it.
 */
export function strengthOf(verdicts: readonly Told[]): Strength | null {
  if (verdicts.length === 0) return null;
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'unchecked';
  if (hasPassed(verdicts, 'differential') || hasPassed(verdicts, 'guard') || testsShown(verdicts)) return 'proven';
  if (hasPassed(verdicts, 'tests') && testsReach(verdicts)) return 'tested';
  return hasPassed(verdicts, 'types') || hasPassed(verdicts, 'lint') ? 'checked' : 'unchecked';
}

/** Test cases alone, which were shown to notice a mistake that nothing else notices. */
function testsShown(verdicts: readonly Told[]): boolean {
  return verdicts.some(
    ({ gate, outcome, evidence }) => gate === 'claim' && outcome === 'passed' && evidence[KIND] === 'tests',
  );
}

function hasPassed(verdicts: readonly Told[], gate: GateName): boolean {
  return verdicts.some((verdict) => verdict.gate === gate && verdict.outcome === 'passed');
}

/**
 * What ran counts most: the gate `guard` saw which touched lines the tests come to. Else what names and coverage tell.
 */
function testsReach(verdicts: readonly Told[]): boolean {
  const evidenceOf = (gate: GateName) => verdicts.find((verdict) => verdict.gate === gate)?.evidence ?? {};
  const { noticed, stopped, unreached } = evidenceOf('guard');
  // A run that was only stopped has noticed nothing for sure.
  if (isSome(Number(noticed ?? 0) - Number(stopped ?? 0))) return true;
  if (isSome(unreached)) return false;
  const { reachingFiles, reachingPassed, touchedPlaces, reachedPlaces } = evidenceOf('tests');
  if (reachingPassed === 0) return false;
  // That a test imports the file says nothing of the function in it.
  if (typeof touchedPlaces === 'number') return touchedPlaces > 0 && reachedPlaces === touchedPlaces;
  return isSome(reachingPassed) || isSome(reachingFiles);
}

function isSome(count: unknown): boolean {
  return typeof count === 'number' && count > 0;
}

/** What a person reads where the name of a status is not a plain word. */
const WORDS: Partial<Record<Proposal['status'], string>> = { rolledBack: 'rolled back', deferred: 'waits' };

/** How a proposal stands, in words: where its verdicts count for what comes next, with how strong they are. */
export function standingOf({
  status,
  strength = null,
  deferredBusy = 0,
  verdicts,
}: Pick<Proposal, 'status' | 'strength' | 'deferredBusy' | 'verdicts'>): string {
  if (isPutOff({ status, deferredBusy, verdicts })) return 'deferred: machine busy';
  const word = WORDS[status] ?? status;
  if (strength === null || WITHOUT_STRENGTH.has(status)) return word;
  return status === 'verified' ? strength : `${word}, ${strength}`;
}
