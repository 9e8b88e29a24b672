// The visible list of rules. Plain data, without a parser behind it, so that any layer may show it.

import type { Severity } from '../model.ts';

export interface Rule {
  readonly id: RuleId;
  readonly title: string;
  /** At least this; a measure far beyond its threshold is raised to `information`. */
  readonly severity: Severity;
  /** Recipe that can realise it where the place allows, or null. */
  readonly recipe: string | null;
  /** One line. */
  readonly description: string;
  /** Documentation page, relative to the product's root. */
  readonly page: string;
  /** `script`: TypeScript and JavaScript. */
  readonly languages: 'all' | 'script';
  /** Whether test code is looked at too. */
  readonly tests: boolean;
  /** False for rules that a team has to ask for: right, but more often left alone than acted on (docs/noise.md). */
  readonly defaultOn: boolean;
  /** `project`: needs more than one file, so it is computed when the whole is asked for (analysis/project). */
  readonly scope: 'file' | 'project';
}

export const RULE_IDS = [
  'unused-import',
  'unused-local',
  'nested-if',
  'else-after-return',
  'undocumented-export',
  'unexplained-export',
  'cognitive-complexity',
  'deep-nesting',
  'long-function',
  'many-parameters',
  'await-in-loop',
  'needless-copy',
  'growing-copy',
  'swallowed-error',
  'large-file',
  'floating-promise',
  'silent-rejection',
  'unreachable-code',
  'work-in-loop',
  'nested-search',
  'sync-io',
  'needless-await',
  'complex-condition',
  'string-concat',
  'index-loop',
  'nullish-coalescing',
  'optional-chain',
  'prefer-const',
  'collapsible-if',
  'redundant-boolean',
  'lonely-if',
  'empty-branch',
  'useless-catch',
  'needless-jump',
  'vacuous-doc',
  'unused-parameter',
  'unused-export',
  'import-cycle',
  'duplicate-code',
  'near-duplicate',
  'test-gap',
  'suppression-without-reason',
  'unused-suppression',
] as const;
export type RuleId = (typeof RULE_IDS)[number];

/**
 * What only the checker tells. A rule that asks it belongs here: while a person types, these are as they were at the
 * last pause.
 */
export const CHECKED_RULES: ReadonlySet<string> = new Set<RuleId>(['unused-import', 'unused-local']);

/** What one walk over one file tells: no name is looked up for these, and no other rule is asked. */
export const WALK_RULES: ReadonlySet<string> = new Set<RuleId>([
  'cognitive-complexity',
  'long-function',
  'many-parameters',
  'large-file',
  'undocumented-export',
  'unexplained-export',
]);

export const rules: readonly Rule[] = [
  rule('unused-import', 'Unused import', 'information', 'remove-unused', 'An import whose names are never read.', {
    tests: true,
  }),
  rule(
    'unused-local',
    'Unused local',
    'information',
    'remove-unused',
    'A local variable, function, class or type that is never read.',
    { tests: true },
  ),
  rule(
    'nested-if',
    'Body wrapped in an if',
    'hint',
    'guard-clauses',
    'A function or loop that ends in an `if` around its work, where an early exit would save a level.',
    {},
  ),
  rule(
    'else-after-return',
    'Else after return',
    'hint',
    'remove-else',
    'An `else` whose other branch has already left.',
    { defaultOn: false },
  ),
  rule(
    'undocumented-export',
    'Undocumented export',
    'hint',
    'doc-comment',
    'Exported API whose comment is no doc comment.',
    { defaultOn: false },
  ),
  rule(
    'unexplained-export',
    'Unexplained export',
    'hint',
    'document-from-evidence',
    'An exported function that no comment says anything about.',
    { defaultOn: false },
  ),
  rule(
    'cognitive-complexity',
    'Hard to follow',
    'hint',
    'extract-function',
    'A function whose cognitive complexity is above 15.',
    { languages: 'all', defaultOn: false },
  ),
  rule(
    'deep-nesting',
    'Deep nesting',
    'hint',
    'guard-clauses',
    'A function with control structures more than 4 levels deep.',
    { languages: 'all', defaultOn: false },
  ),
  rule('long-function', 'Long function', 'hint', null, 'A function of more than 80 statements or 300 lines.', {
    languages: 'all',
    defaultOn: false,
  }),
  rule('many-parameters', 'Many parameters', 'hint', null, 'A function with more than 6 parameters.', {
    languages: 'all',
    defaultOn: false,
  }),
  rule(
    'await-in-loop',
    'Awaits one by one',
    'hint',
    'parallel-awaits',
    'A loop that waits for independent results one after the other.',
    { defaultOn: false },
  ),
  rule('needless-copy', 'Needless copy', 'hint', 'remove-copy', 'A copy of a value that nobody else holds.', {}),
  rule(
    'growing-copy',
    'Copy that grows with every turn',
    'hint',
    'remove-copy',
    'A list or record that is copied whole every turn to add one thing.',
    { defaultOn: false },
  ),
  rule('swallowed-error', 'Swallowed error', 'information', null, 'An empty `catch` without a word why.', {
    defaultOn: false,
  }),
  rule('large-file', 'Large file', 'hint', null, 'A file of more than 1,000 lines of code.', {
    languages: 'all',
    defaultOn: false,
  }),
  rule(
    'floating-promise',
    'Floating promise',
    'information',
    null,
    'A call in an async function whose promise nobody waits for or catches.',
    { defaultOn: false },
  ),
  rule('silent-rejection', 'Silent rejection', 'hint', null, 'A `.catch` that drops every error without a word why.', {
    defaultOn: false,
  }),
  rule(
    'unreachable-code',
    'Unreachable code',
    'information',
    'remove-unreachable',
    'Statements that control never comes to.',
    {},
  ),
  rule(
    'work-in-loop',
    'Work repeated in a loop',
    'hint',
    'hoist-from-loop',
    'A pattern, JSON or sorted list that is made anew every turn from what never changes.',
    {},
  ),
  rule(
    'nested-search',
    'Nested search',
    'hint',
    'keyed-lookup',
    'A list searched from its start every turn of a loop over something else.',
    { defaultOn: false },
  ),
  rule(
    'sync-io',
    'Blocking call',
    'hint',
    null,
    'A synchronous file, process or crypto call in a request handler.',
    {},
  ),
  rule(
    'needless-await',
    'Needless await',
    'hint',
    'remove-await',
    'An `await` of what is no promise, or a promise made only to be unwrapped.',
    { defaultOn: false },
  ),
  rule(
    'complex-condition',
    'Complex condition',
    'hint',
    null,
    'A condition of more than 6 parts that goes to and fro between `&&` and `||`.',
    { defaultOn: false },
  ),
  rule(
    'string-concat',
    'Text put together by plus',
    'hint',
    'template-string',
    'A text of three pieces or more, put together by `+`.',
    { defaultOn: false },
  ),
  rule(
    'index-loop',
    'Loop that counts through a list',
    'hint',
    'for-of',
    'A loop whose index only reads a list element by element.',
    { defaultOn: false },
  ),
  rule(
    'nullish-coalescing',
    'Choice between a value and its replacement',
    'hint',
    'nullish-coalescing',
    'A choice that `??` says without naming the value twice.',
    { defaultOn: false },
  ),
  rule(
    'optional-chain',
    'Tests one property further',
    'hint',
    'optional-chain',
    'A row of tests that `?.` says in one.',
    { defaultOn: false },
  ),
  rule('prefer-const', 'Let that stays as it is', 'hint', 'use-const', 'A `let` that nothing writes to.', {
    defaultOn: false,
  }),
  rule('collapsible-if', 'If around an if', 'hint', 'merge-if', 'An `if` whose only content is another `if`.', {
    defaultOn: false,
  }),
  rule(
    'redundant-boolean',
    'Condition said twice',
    'hint',
    'simplify-boolean',
    'True and false spelled out where a condition says as much.',
    { defaultOn: false },
  ),
  rule('lonely-if', 'If alone in an else', 'hint', 'else-if', 'An `else` that holds nothing but an `if`.', {
    defaultOn: false,
  }),
  rule('empty-branch', 'Empty side of an if', 'hint', 'remove-branch', 'An `if` one of whose sides does nothing.', {
    defaultOn: false,
  }),
  rule(
    'useless-catch',
    'Catch that throws what it caught',
    'hint',
    'remove-catch',
    'A `catch` that throws what it caught and does nothing else.',
    { defaultOn: false },
  ),
  rule(
    'needless-jump',
    'Needless return or continue',
    'hint',
    'remove-jump',
    'A `return` or `continue` to where control goes anyway.',
    { defaultOn: false },
  ),
  rule(
    'vacuous-doc',
    'Comment that repeats the name',
    'hint',
    null,
    'A doc comment that says no more than the name below it.',
    { defaultOn: false },
  ),
  rule(
    'unused-parameter',
    'Unused parameter',
    'hint',
    'remove-parameter',
    'The last parameter of a function that only its file uses, never read.',
    { defaultOn: false },
  ),
  rule(
    'unused-export',
    'Unused export',
    'hint',
    'unexport',
    'An exported name that no other file of the project imports.',
    { scope: 'project' },
  ),
  rule('import-cycle', 'Import cycle', 'information', null, 'Files that load each other in a circle.', {
    scope: 'project',
  }),
  rule('duplicate-code', 'Duplicate code', 'hint', 'deduplicate', 'The same 15 lines or more in several places.', {
    scope: 'project',
    languages: 'all',
  }),
  rule('near-duplicate', 'Near-duplicate function', 'hint', null, 'Functions that differ in names and little else.', {
    scope: 'project',
    languages: 'all',
    defaultOn: false,
  }),
  rule('test-gap', 'Untested function', 'hint', null, 'A complex exported function that no test reaches.', {
    scope: 'project',
    languages: 'all',
    defaultOn: false,
  }),
  rule(
    'suppression-without-reason',
    'Suppression without a reason',
    'hint',
    null,
    'A `selfware-ignore` comment that does not say why.',
    { languages: 'all', tests: true },
  ),
  rule('unused-suppression', 'Unused suppression', 'hint', null, 'A `selfware-ignore` comment that hides nothing.', {
    languages: 'all',
    tests: true,
  }),
];

/** Those about suppressions are told by what all the others find. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set<RuleId>(['suppression-without-reason', 'unused-suppression']);
const ALONE: ReadonlySet<string> = new Set(
  rules.filter(({ id, scope }) => scope === 'file' && !ABOUT_OTHERS.has(id)).map(({ id }) => id),
);

/** Rules that look at one file and at nothing that other rules have found. */
export function foundAlone(asked: Iterable<string>): boolean {
  return [...asked].every((rule) => ALONE.has(rule));
}

function rule(
  id: RuleId,
  title: string,
  severity: Severity,
  recipe: string | null,
  description: string,
  options: { languages?: 'all'; tests?: true; defaultOn?: false; scope?: 'project' },
): Rule {
  return {
    id,
    title,
    severity,
    recipe,
    description,
    page: `docs/rules/${id}.md`,
    languages: options.languages ?? 'script',
    tests: options.tests ?? false,
    defaultOn: options.defaultOn ?? true,
    scope: options.scope ?? 'file',
  };
}
