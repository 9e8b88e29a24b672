// Evaluates the verdicts about a claim: whether the score gate lets the proposal pass, which evidence is missing, and
// the claim as a person sees it.

import {
  JUDGED_BY,
  CLAIM_KIND,
  MENDED_CALL,
  NEEDS_CALL,
  NEEDS_SAME,
  OPEN_TO_PERSON,
  TRIED,
} from '../../model/evidence.ts';
import { isLikelySame, isProof, isSameInTestCalls } from '../../model/proofs.ts';
import type { Verdict } from '../../model.ts';
import { FACTS_BY_CLAIM, isClaimKind, type Claim, type ClaimKind } from '../../model/claims.ts';

const UNCOMPARED_TEXT = 'no comparison of old and new code shows it, and mutants do not show what a change leaves out.';

const UNPROVEN_CODE_TEXT = 'Nothing shows that the code beside them keeps behaviour.';

type ShownVerdict = Pick<Verdict, 'gate' | 'outcome' | 'reason' | 'evidence'>;

/** True if the score gate lets the proposal pass: the score rises, or another gate may show a gain. */
export function isGainPossible(score: Pick<Verdict, 'outcome' | 'evidence'>): boolean {
  return score.outcome === 'passed' || (score.outcome === 'unknown' && JUDGED_BY in score.evidence);
}

/**
 * The reason why no gain is shown; null if one is shown, or if a person judges it. A gate that did not run shows
 * nothing.
 */
export function explainMissingGain(verdicts: readonly ShownVerdict[]): string | null {
  const score = findVerdict(verdicts, 'score');
  if (score?.outcome === 'passed') return null;
  if (!score || !isGainPossible(score)) return score ? `score: ${score.reason}` : 'The score is not known.';
  if (score.evidence[JUDGED_BY] === 'person') return null;
  const claim = findVerdict(verdicts, 'claim');
  if (claim?.outcome === 'passed') return null;
  if (claim?.outcome === 'unknown' && OPEN_TO_PERSON in claim.evidence) return null;
  if (claim && NEEDS_CALL in claim.evidence)
    return describeFixedCall(verdicts) === null ? `claim: ${claim.reason}` : null;
  if (claim && claim.evidence[CLAIM_KIND] === 'tests' && NEEDS_SAME in claim.evidence)
    return findProofOfSameBehaviour(verdicts) ? null : `claim: ${claim.reason} ${UNPROVEN_CODE_TEXT}`;
  if (claim && NEEDS_SAME in claim.evidence)
    return findProofOfSameBehaviour(verdicts) || findPassedMutants(verdicts) ? null : `claim: ${claim.reason}`;
  const openClaims = findClaimsOfOtherGates(score);
  // Tests in a language without mutants are not refused here; they wait for a person.
  if (openClaims[0] === 'tests' && claim?.outcome !== 'failed') return explainMissingTests(verdicts, claim);
  if (openClaims.includes('upkeep')) return explainMissingUpkeep(verdicts);
  if (openClaims.includes('findings')) return explainMissingFindings(verdicts);
  return `claim: ${claim?.reason ?? 'Nothing has shown what gets better.'}`;
}

/** The claim that the verdicts decide; null if no verdict decides it yet. */
export function findShownClaim(verdicts: readonly ShownVerdict[]): Claim | null {
  const [score, claim] = [findVerdict(verdicts, 'score'), findVerdict(verdicts, 'claim')];
  if (!score) return null;
  const price = priceOf(score);
  const kind = claim?.evidence[CLAIM_KIND];
  if (claim && NEEDS_CALL in claim.evidence) return createFixClaim(verdicts, claim.reason, price);
  if (claim && isClaimKind(kind) && kind !== 'points')
    return NEEDS_SAME in claim.evidence
      ? kind === 'tests'
        ? createClaimOfTests(verdicts, claim.reason, price)
        : createRefactoringClaim(verdicts, claim.reason, price)
      : { kind, holds: claimResultOf(claim.outcome), evidence: claim.reason, price };
  if (score.outcome !== 'unknown')
    return { kind: 'points', holds: score.outcome === 'passed', evidence: score.reason, price: null };
  const [first = 'points'] = findClaimsOfOtherGates(score);
  if (score.evidence[JUDGED_BY] === 'person') return { kind: 'points', holds: null, evidence: score.reason, price };
  // Another gate failed before the gate `claim` ran.
  if (FACTS_BY_CLAIM[first].shownBy === 'claim' && !claim) return null;
  const missing = explainMissingGain(verdicts);
  const gate = findVerdict(verdicts, FACTS_BY_CLAIM[first].shownBy);
  return {
    kind: first,
    // The claim is open until the gate that shows it has run, and as long as the gate `claim` names no kind.
    holds: missing !== null ? (gate ? false : null) : claim ? null : true,
    evidence: missing ?? gate?.reason ?? score.reason,
    price,
  };
}

/** True if the comparison must find a call that fails without the change. */
export function needsCounterexample(verdicts: readonly Pick<Verdict, 'gate' | 'evidence'>[]): boolean {
  return verdicts.some(({ gate, evidence }) => gate === 'claim' && NEEDS_CALL in evidence);
}

/**
 * A sentence about the generated call that fails without the change and returns a value with it; null if there is none.
 */
function describeFixedCall(verdicts: readonly ShownVerdict[]): string | null {
  const { [MENDED_CALL]: call, brokeBefore, answers } = findVerdict(verdicts, 'differential')?.evidence ?? {};
  return typeof call === 'string'
    ? `Without the change \`${call}\` ${String(brokeBefore)}; with it, it ${String(answers)}.`
    : null;
}

/** The claim of a fix that a generated call must show; open until the comparison has run. */
function createFixClaim(verdicts: readonly ShownVerdict[], reason: string, price: number | null): Claim {
  const call = describeFixedCall(verdicts);
  const compared = findVerdict(verdicts, 'differential');
  return { kind: 'fix', holds: call !== null ? true : compared ? false : null, evidence: call ?? reason, price };
}

/**
 * The verdict which shows that the change preserves behaviour: a proof, or a comparison of the calls of the tests or of
 * generated calls that found no difference. Undefined if there is none.
 */
function findProofOfSameBehaviour(verdicts: readonly ShownVerdict[]): ShownVerdict | undefined {
  return verdicts.find((verdict) => isProof(verdict) || isSameInTestCalls(verdict) || isLikelySame(verdict));
}

/** The verdict on mutants if the tests notice enough of them. Whether that suffices is for a person to decide. */
function findPassedMutants(verdicts: readonly ShownVerdict[]): ShownVerdict | undefined {
  return verdicts.find(({ gate, outcome }) => gate === 'guard' && outcome === 'passed');
}

/**
 * The claim of a requested change that preserves behaviour; open until a verdict shows that it does. Mutants alone
 * leave it open for a person.
 */
function createRefactoringClaim(verdicts: readonly ShownVerdict[], reason: string, price: number | null): Claim {
  const sameBehaviour = findProofOfSameBehaviour(verdicts);
  const mutants = findPassedMutants(verdicts);
  const openText = mutants
    ? `${mutants.reason} Whether it keeps behaviour is for you to decide: ${UNCOMPARED_TEXT}`
    : reason;
  const evidence = sameBehaviour ? `It was asked for. ${sameBehaviour.reason}` : openText;
  return { kind: 'request', holds: sameBehaviour ? true : null, evidence, price };
}

/** The claim of new tests next to code that must keep behaviour. */
function createClaimOfTests(verdicts: readonly ShownVerdict[], reason: string, price: number | null): Claim {
  const sameBehaviour = findProofOfSameBehaviour(verdicts);
  return {
    kind: 'tests',
    holds: sameBehaviour ? true : null,
    evidence: `${reason} ${sameBehaviour?.reason ?? UNPROVEN_CODE_TEXT}`,
    price,
  };
}

/** The claims that the score gate leaves to other gates. */
export function findClaimsOfOtherGates(score: Pick<Verdict, 'evidence'>): readonly ClaimKind[] {
  return String(score.evidence[TRIED] ?? '')
    .split(' ')
    .filter(isClaimKind);
}

/** The points that the change costs; null if it costs none. */
function priceOf({ evidence }: ShownVerdict): number | null {
  const { gain } = evidence;
  return typeof gain === 'number' && gain < 0 ? -gain : null;
}

function claimResultOf(outcome: Verdict['outcome']): boolean | null {
  return outcome === 'unknown' ? null : outcome === 'passed';
}

function findVerdict(verdicts: readonly ShownVerdict[], gate: Verdict['gate']): ShownVerdict | undefined {
  return verdicts.find((verdict) => verdict.gate === gate);
}

/**
 * The reason why it is not shown that more tests pass; null if it is shown. If the gate `claim` is unknown, its reason
 * is the best one.
 */
function explainMissingTests(verdicts: readonly ShownVerdict[], claim: ShownVerdict | undefined): string | null {
  const tests = findVerdict(verdicts, 'tests');
  if (tests?.outcome === 'passed' && isMore(tests, 'passed', 'passedBefore')) return null;
  return claim?.outcome === 'unknown'
    ? `claim: ${claim.reason}`
    : 'tests: The score stays the same, and no more tests pass than without the change.';
}

/** The reason why it is not shown that as many tests pass as before; null if it is shown. */
function explainMissingUpkeep(verdicts: readonly ShownVerdict[]): string | null {
  const tests = findVerdict(verdicts, 'tests');
  return tests?.outcome === 'passed' && !isMore(tests, 'passedBefore', 'passed')
    ? null
    : 'tests: It tidies up tests, and it is not shown that as many of them pass.';
}

/** The reason why it is not shown that the linter finds fewer problems; null if it is shown. */
export function explainMissingFindings(verdicts: readonly ShownVerdict[]): string | null {
  const lint = findVerdict(verdicts, 'lint');
  return lint?.outcome === 'passed' && isMore(lint, 'problemsBefore', 'problems')
    ? null
    : 'lint: The score stays the same, and the linter finds no fewer problems than without the change.';
}

/** True if both figures are known and the first is larger. */
function isMore({ evidence }: Pick<Verdict, 'evidence'>, larger: string, smaller: string): boolean {
  const [first, second] = [evidence[larger], evidence[smaller]];
  return typeof first === 'number' && typeof second === 'number' && first > second;
}
