// Orders the rules by what a maintainer wants first: a fix, a missing test, less that is unused or untyped, simpler
// code, and style last.

/** Rules whose changes fix something that goes wrong. */
const FIXES = [
  ...['counterexample', 'floating-promise', 'flaky-test', 'secret-default', 'silent-rejection', 'swallowed-error'],
  'unawaited-rejects',
];
/** Rules whose changes are tests that were missing. */
const TESTS = ['unguarded-code', 'test-gap', 'disabled-test'];
/** Rules about code that nothing needs, or whose types say too little. */
const UNUSED = [
  ...['unreachable-code', 'unused-dependency', 'unused-export', 'unused-file', 'unused-import', 'unused-local'],
  ...['unused-parameter', 'legacy-call', 'lost-cause', 'type-hole'],
];
/** Rules about how code and comments are written. All other rules are about simpler code. */
const STYLE = [
  ...['else-after-return', 'index-loop', 'lonely-if', 'needless-jump', 'nullish-coalescing', 'optional-chain'],
  ...['prefer-const', 'string-concat', 'suppression-without-reason', 'undocumented-export', 'unexplained-export'],
  ...['unused-suppression', 'vacuous-doc'],
];
const SIMPLER = 3;
const RANKS: ReadonlyMap<string, number> = new Map(
  [FIXES, TESTS, UNUSED, [], STYLE].flatMap((rules, rank) => rules.map((rule) => [rule, rank] as const)),
);

/** The rules of fixes and of missing tests, which a night tries before it looks for anything else. */
export const WANTED_FIRST: readonly string[] = [...FIXES, ...TESTS];

/** The rank of a rule's changes; the lower, the more a maintainer wants them. */
export function wantedRank(rule: string): number {
  return RANKS.get(rule) ?? SIMPLER;
}
