// Decides how strongly the verdicts show that a change does no harm, and names it in one word.

import type { Proposal, Strength, Verdict } from '../model.ts';
import type { GateName } from '../model/gates.ts';
import { describeOverfit, isProof, isSameInTestCalls, provesEquivalence, provesFix } from '../model/proofs.ts';

import { formatCount } from './answer.ts';
import { isDeferredAsBusy } from './busyMachine.ts';
import { ABSENT, CLAIM_KIND, INSTALLED, NOTICED_MISTAKES, ONLY_FILES, UNREACHED_LINES } from '../model/evidence.ts';

/** The part of a verdict that decides on strength. */
type VerdictFacts = Pick<Verdict, 'gate' | 'outcome' | 'evidence'>;

const NOTHING_SHOWN = 'No test, type check or linter has shown anything about it.';
const TESTED_TEXT = 'The tests that run this code pass.';
const TESTED_AND_NOTICED =
  'The tests that run this code pass, and notice mistakes in it; whether the change leaves something out is not known.';
const TESTED_IN_PART = 'The tests that reach this code pass; the others have not run yet.';
const TESTED_WITHOUT = 'The tests pass where the package is not installed.';

const SAME_BEHAVIOUR = 'The code was shown to do what it did before.';
const SAME_IN_PART = 'The code was shown to do what it did before; not all tests have run yet.';
const TESTS_NOTICE = 'Its tests were shown to notice mistakes in these lines.';

/** Statuses in which the strength of a proposal does not matter to a person. */
const STATUSES_WITHOUT_STRENGTH: ReadonlySet<Proposal['status']> = new Set([
  'proposed',
  'verifying',
  'refused',
  'rejected',
  'rolledBack',
]);

/** The meaning of the strength for this proposal, as one sentence for a person; for `proven`, what proved it. */
export function explainStrength(strength: Strength, verdicts: readonly VerdictFacts[]): string {
  const overfitText = describeOverfit(verdicts);
  if (overfitText !== null) return overfitText;
  if (strength === 'tested' && ranOnlyInPart(verdicts) && isTestClaimShown(verdicts))
    return describeAddedTests(verdicts);
  if (strength === 'tested') return describeTested(verdicts);
  if (strength === 'unchecked' && wasChecked(verdicts)) return NOTHING_SHOWN;
  if (strength !== 'proven') return describeWeakStrength(verdicts);
  if (verdicts.some(provesEquivalence)) return ranOnlyInPart(verdicts) ? SAME_IN_PART : SAME_BEHAVIOUR;
  return hasPassed(verdicts, 'guard') || !isTestClaimShown(verdicts) ? TESTS_NOTICE : describeAddedTests(verdicts);
}

function describeTested(verdicts: readonly VerdictFacts[]): string {
  if (wereWithoutPackage(verdicts)) return TESTED_WITHOUT;
  if (ranOnlyInPart(verdicts)) return TESTED_IN_PART;
  return hasPassed(verdicts, 'guard') ? TESTED_AND_NOTICED : TESTED_TEXT;
}

/** The sentence about the mistakes that added tests were shown to notice. */
function describeAddedTests(verdicts: readonly VerdictFacts[]): string {
  const { [NOTICED_MISTAKES]: mistakes } = findEvidence(verdicts, 'claim');
  const mistakesText = typeof mistakes === 'number' && mistakes > 1 ? `${mistakes} mistakes` : 'a mistake';
  return ranOnlyInPart(verdicts)
    ? `Its tests were shown to notice ${mistakesText} that no other test nearby notices; the other tests have not run yet.`
    : `Its tests were shown to notice ${mistakesText} that no other test notices.`;
}

/** True if the type check or the linter passed, or any gate failed. If false, nothing could check the proposal. */
function wasChecked(verdicts: readonly VerdictFacts[]): boolean {
  return (
    hasPassed(verdicts, 'types') || hasPassed(verdicts, 'lint') || verdicts.some(({ outcome }) => outcome === 'failed')
  );
}

/** The sentence about the checks of a change that is not known to be fully covered by tests. */
function describeWeakStrength(verdicts: readonly VerdictFacts[]): string {
  const checkers = [
    ...(hasPassed(verdicts, 'types') ? ['the type check'] : []),
    ...(hasPassed(verdicts, 'lint') ? ['the linter'] : []),
  ].join(' and ');
  const tests = hasPassed(verdicts, 'tests') ? findEvidence(verdicts, 'tests') : null;
  if (tests !== null && !foundUnreached(verdicts)) {
    const count = typeof tests['passed'] === 'number' ? formatCount(tests['passed'], 'test') : 'The tests';
    const checkersText = checkers === '' ? 'no type check or linter has shown anything' : `${checkers} found nothing`;
    const passedText = isSome(findEvidence(verdicts, 'claim')[INSTALLED])
      ? `${count} passed with the new version installed; whether they use it was not measured.`
      : `${count} passed; whether they run these lines was not measured.`;
    return `${passedText} Beside them, ${checkersText}.`;
  }
  if (checkers === '' && tests === null) return NOTHING_SHOWN;
  const reached = tests === null ? null : describeReach(tests);
  if (reached !== null)
    return `The tests passed, but as far as is known they run only ${reached}${checkers === '' ? '.' : `; ${checkers} found nothing.`}`;
  const untestedText =
    tests === null
      ? 'no test has shown anything about it'
      : areAllPlacesReached(tests)
        ? 'tests call this code, but do not reach all lines of the change'
        : 'no test is known to run this code';
  if (checkers === '') return `No type check or linter has shown anything about it, and ${untestedText}.`;
  return `Only ${checkers} looked at it; ${untestedText}.`;
}

/** The share of the touched places that tests are known to run, as a phrase; null if it is none, all, or unknown. */
function describeReach({ touchedPlaces, reachedPlaces }: VerdictFacts['evidence']): string | null {
  return isSome(reachedPlaces) && Number(reachedPlaces) < Number(touchedPlaces)
    ? `${reachedPlaces} of the ${touchedPlaces} places that it touches`
    : null;
}

/** True if a check searched for tests that run the touched code, and found code that no test is known to run. */
function foundUnreached(verdicts: readonly VerdictFacts[]): boolean {
  if (hasUnreachedLine(verdicts)) return true;
  const { reachingFiles, reachingPassed, touchedPlaces, reachedPlaces } = findEvidence(verdicts, 'tests');
  if (reachingPassed === 0) return true;
  // If no test file is known to import the change, nothing was measured.
  return isSome(reachingFiles) && typeof touchedPlaces === 'number' && touchedPlaces > Number(reachedPlaces ?? 0);
}

/**
 * True if the gate `guard` observed a touched line that no test reaches. Unreached code does not count if it shares a
 * line with reached code, or lies outside of the touched lines.
 */
function hasUnreachedLine(verdicts: readonly VerdictFacts[]): boolean {
  const { noticed, survived, unreached, [UNREACHED_LINES]: lines } = findEvidence(verdicts, 'guard');
  return isSome(lines) || (isSome(unreached) && !isSome(noticed) && !isSome(survived));
}

/** True if tests reach each definition that the change touches. */
function areAllPlacesReached({ touchedPlaces, reachedPlaces }: VerdictFacts['evidence']): boolean {
  return isSome(touchedPlaces) && reachedPlaces === touchedPlaces;
}

/** The evidence of the verdict of a gate; empty if the gate has not run. */
function findEvidence(verdicts: readonly VerdictFacts[], gate: GateName): VerdictFacts['evidence'] {
  return verdicts.find((verdict) => verdict.gate === gate)?.evidence ?? {};
}

/**
 * The strength of the evidence that a proposal does no harm; null if there are no verdicts yet. A proposal that a
 * failed gate stopped is `unchecked`. Tests count only if they are known to reach all places of the change, and if the
 * change was not made just to fit them. Before all tests have run, only a comparison of the old and the new code proves
 * anything.
 */
export function determineStrength(verdicts: readonly VerdictFacts[]): Strength | null {
  if (verdicts.length === 0) return null;
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'unchecked';
  const isGeneral = describeOverfit(verdicts) === null;
  const isShown = verdicts.some(isProof) || provesFix(verdicts) || isTestClaimShown(verdicts);
  if (isGeneral && (ranOnlyInPart(verdicts) ? verdicts.some(provesEquivalence) : isShown)) return 'proven';
  if (isGeneral && isTestClaimShown(verdicts)) return 'tested';
  const doTestsCount = verdicts.some(isSameInTestCalls) || doTestsReach(verdicts) || wereWithoutPackage(verdicts);
  if (isGeneral && hasPassed(verdicts, 'tests') && doTestsCount) return 'tested';
  return hasPassed(verdicts, 'types') || hasPassed(verdicts, 'lint') ? 'checked' : 'unchecked';
}

/** True if the claim was shown that added tests notice a mistake that no other test notices. */
function isTestClaimShown(verdicts: readonly VerdictFacts[]): boolean {
  return verdicts.some(
    ({ gate, outcome, evidence }) => gate === 'claim' && outcome === 'passed' && evidence[CLAIM_KIND] === 'tests',
  );
}

/** True if only the test files that reach the change ran, for a preview. */
export function ranOnlyInPart(verdicts: readonly VerdictFacts[]): boolean {
  return findEvidence(verdicts, 'tests')[ONLY_FILES] !== undefined;
}

/** True if the tests passed without the dependency that the change removes. */
function wereWithoutPackage(verdicts: readonly VerdictFacts[]): boolean {
  return hasPassed(verdicts, 'claim') && isSome(findEvidence(verdicts, 'claim')[ABSENT]);
}

/** True if a verdict of this gate is “passed”. */
export function hasPassed(verdicts: readonly VerdictFacts[], gate: GateName): boolean {
  return verdicts.some((verdict) => verdict.gate === gate && verdict.outcome === 'passed');
}

/**
 * True if the tests reach the change. The gate `guard` takes precedence, because it has observed which touched lines
 * the tests reach; otherwise, names and coverage decide.
 */
function doTestsReach(verdicts: readonly VerdictFacts[]): boolean {
  if (hasUnreachedLine(verdicts)) return false;
  const { noticed, stopped } = findEvidence(verdicts, 'guard');
  // A mutant whose run was only stopped by the time limit does not count as noticed.
  if (isSome(Number(noticed ?? 0) - Number(stopped ?? 0))) return true;
  const tests = findEvidence(verdicts, 'tests');
  const { reachingFiles, reachingPassed, touchedPlaces } = tests;
  if (reachingPassed === 0) return false;
  // A test that imports the file may never call the function.
  if (typeof touchedPlaces === 'number') return areAllPlacesReached(tests);
  return isSome(reachingPassed) || isSome(reachingFiles);
}

function isSome(count: unknown): boolean {
  return typeof count === 'number' && count > 0;
}

/** Words for statuses whose names are not plain words. */
const STATUS_TEXTS: Partial<Record<Proposal['status'], string>> = { rolledBack: 'rolled back', deferred: 'waits' };

/** The state of a proposal in words, with the strength of its proof if that matters for the next step. */
export function describeStanding({
  status,
  strength = null,
  deferredBusy = 0,
  verdicts,
}: Pick<Proposal, 'status' | 'strength' | 'deferredBusy' | 'verdicts'>): string {
  if (isDeferredAsBusy({ status, deferredBusy, verdicts })) return 'deferred: machine busy';
  const word = STATUS_TEXTS[status] ?? status;
  if (strength === null || STATUSES_WITHOUT_STRENGTH.has(status)) return word;
  return status === 'verified' ? strength : `${word}, ${strength}`;
}
