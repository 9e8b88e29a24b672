// The improvements that a proposal can claim, and the sentence for a claim. docs/claims.md shows the table.

/** The kinds of claims. `FACTS_BY_CLAIM` describes each. */
export const CLAIM_KINDS = [
  'fix',
  'tests',
  'types',
  'speed',
  'memory',
  'findings',
  'request',
  'points',
  'upkeep',
] as const;
/** The name of a kind of claim. */
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** Claims that an author may state. The other claims follow from the author of the change. */
export const STATABLE_CLAIMS: readonly ClaimKind[] = [
  'fix',
  'request',
  'tests',
  'types',
  'speed',
  'memory',
  'findings',
  'points',
];

/** The improvement that a proposal claims, and whether its verdicts show it. */
export interface Claim {
  readonly kind: ClaimKind;
  /** True if the verdicts show the claim; null if unknown. */
  readonly holds: boolean | null;
  /** One sentence for a person: the evidence, or the reason why there is none. */
  readonly evidence: string;
  /** Points that the change costs despite the claim; null if it costs none, or if the price is unknown. */
  readonly price: number | null;
}

/** The facts about a kind of claim: its label, and the evidence that it needs. */
export interface ClaimFacts {
  /** The label for people. */
  readonly label: string;
  /**
   * The required effect on the score: it must rise, or must not fall. `price`: it may fall, but not by more than the
   * price of the change.
   */
  readonly score: 'rise' | 'stay' | 'price';
  /** The gate whose verdict shows the claim. */
  readonly shownBy: 'score' | 'lint' | 'tests' | 'claim';
  /** A description of the evidence that the claim needs, for a table. */
  readonly evidence: string;
}

/** The facts about each kind of claim. */
export const FACTS_BY_CLAIM: Readonly<Record<ClaimKind, ClaimFacts>> = {
  fix: {
    label: 'Fixes a defect',
    score: 'price',
    shownBy: 'claim',
    evidence:
      'A test that comes with the change fails without it, by an assertion or a named error, and passes with it, five times each. Without a test: a call that Selfware generated breaks without the change and is answered with it.',
  },
  tests: {
    label: 'Adds tests that notice more',
    score: 'stay',
    shownBy: 'claim',
    evidence:
      'New test files or test cases pass five times, assert something, and notice a mutant that no other test notices.',
  },
  types: {
    label: 'Makes types exact',
    score: 'stay',
    shownBy: 'claim',
    evidence: 'Fewer `any`, `!` and `as`, and the JavaScript that the compiler emits is the same.',
  },
  speed: {
    label: 'Makes it faster',
    score: 'price',
    shownBy: 'claim',
    evidence:
      'The benchmark of the repository is at least 5 % faster by a rank test, in two series of runs that alternate with the unchanged code.',
  },
  memory: {
    label: 'Makes it smaller in memory',
    score: 'price',
    shownBy: 'claim',
    evidence:
      'The benchmark of the repository needs at least 5 % less memory at its peak by a rank test, in two such series of runs.',
  },
  findings: {
    label: 'Fixes a finding',
    score: 'price',
    shownBy: 'lint',
    evidence:
      "The repository's own linter finds less, and nothing new; of a recipe, the rule that it works for finds less, and no other rule finds more.",
  },
  request: {
    label: 'Does what was asked for',
    score: 'price',
    shownBy: 'claim',
    evidence:
      'Acceptance tests that come with the change fail without it and pass with it, five times each, and no other test that comes along fails; of a refactoring that brings none, the comparison or the calls of the tests show that it keeps behaviour; if only mutants do, a person decides. Of a removed dependency: checks pass where it is not installed. Of an updated one: checks pass where the new version is installed.',
  },
  points: {
    label: 'Gains points',
    score: 'rise',
    shownBy: 'score',
    evidence: 'The score on the frozen ruler rises.',
  },
  upkeep: {
    label: 'Tidies tests up',
    score: 'stay',
    shownBy: 'tests',
    evidence: 'As many tests pass as before.',
  },
};

/**
 * The claim, its evidence and its price in sentences for a person; null if there is no claim, or if it is `points`,
 * which the score already shows.
 */
export function describeClaim(claim: Claim | null | undefined): string | null {
  if (!claim || claim.kind === 'points') return null;
  const { kind, holds, evidence, price } = claim;
  const labelPart = holds
    ? FACTS_BY_CLAIM[kind].label
    : `${FACTS_BY_CLAIM[kind].label} (${holds === null ? 'not known' : 'not shown'})`;
  const costSentence = price === null ? '' : ` It costs ${Number(price.toFixed(2)) || 'under 0.01'} points.`;
  return `${labelPart}. ${evidence}${costSentence}`;
}

/** True for the name of a kind of claim. */
export function isClaimKind(word: unknown): word is ClaimKind {
  return typeof word === 'string' && (CLAIM_KINDS as readonly string[]).includes(word);
}
