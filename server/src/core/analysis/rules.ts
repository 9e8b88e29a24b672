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
}

export const RULE_IDS = [
  'unused-import',
  'unused-local',
  'nested-if',
  'else-after-return',
  'undocumented-export',
  'cognitive-complexity',
  'deep-nesting',
  'long-function',
  'many-parameters',
  'await-in-loop',
  'needless-copy',
  'swallowed-error',
  'large-file',
] as const;
export type RuleId = (typeof RULE_IDS)[number];

export const rules: readonly Rule[] = [
  rule('unused-import', 'Unused import', 'information', 'remove-unused', 'An import whose names are never read.', { tests: true }),
  rule('unused-local', 'Unused local', 'information', 'remove-unused', 'A local variable, function, class or type that is never read.', { tests: true }),
  rule('nested-if', 'Body wrapped in an if', 'hint', 'guard-clauses', 'A function or loop that ends in an `if` around its work, where an early exit would save a level.', {}),
  rule('else-after-return', 'Else after return', 'hint', 'remove-else', 'An `else` whose other branch has already left.', {}),
  rule('undocumented-export', 'Undocumented export', 'hint', 'doc-comment', 'Exported API without a doc comment.', {}),
  rule('cognitive-complexity', 'Hard to follow', 'hint', 'extract-function', 'A function whose cognitive complexity is above 15.', { languages: 'all' }),
  rule('deep-nesting', 'Deep nesting', 'hint', 'guard-clauses', 'A function with control structures more than 4 levels deep.', { languages: 'all' }),
  rule('long-function', 'Long function', 'hint', null, 'A function of more than 80 statements or 150 lines.', { languages: 'all' }),
  rule('many-parameters', 'Many parameters', 'hint', null, 'A function with more than 6 parameters.', { languages: 'all' }),
  rule('await-in-loop', 'Awaits one by one', 'hint', null, 'A loop that waits for independent results one after the other.', {}),
  rule('needless-copy', 'Needless copy', 'hint', null, 'A copy of a value that nobody else holds.', {}),
  rule('swallowed-error', 'Swallowed error', 'information', null, 'An empty `catch` without a word why.', {}),
  rule('large-file', 'Large file', 'hint', null, 'A file of more than 1,000 lines of code.', { languages: 'all' }),
];

function rule(id: RuleId, title: string, severity: Severity, recipe: string | null, description: string, options: { languages?: 'all'; tests?: true; defaultOn?: false }): Rule {
  return { id, title, severity, recipe, description, page: `docs/rules/${id}.md`, languages: options.languages ?? 'script', tests: options.tests ?? false, defaultOn: options.defaultOn ?? true };
}
