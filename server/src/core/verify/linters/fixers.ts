// The linters that mend what they find, and how each is asked to mend one rule in one file and nothing else.

import { program, type DetectedCommand } from '../detect/command.ts';
import type { LinterKind } from '../detect/lintCommand.ts';
import type { Project } from '../detect/project.ts';
import { biomeFindings, eslintFindings, oxlintFindings, type LintFinding } from './findings.ts';

export interface Fixer {
  /** For people. */
  readonly name: string;
  findings(output: string): LintFinding[] | null;
  /** Writes whatever it can mend, so that what is left cannot be. Null: the findings carry their fixes. */
  fixAll(project: Project, paths: readonly string[]): DetectedCommand | null;
  /** Mends what it finds by `rule` in the file. `others`: rules that find something there, too. Null: see `fixAll`. */
  fixRule(project: Project, path: string, rule: string, others: readonly string[]): DetectedCommand | null;
}

/** Safe fixes alone: none of them is asked for what its own authors call unsafe or a suggestion. */
export const fixers: Readonly<Record<LinterKind, Fixer>> = {
  eslint: { name: 'ESLint', findings: eslintFindings, fixAll: () => null, fixRule: () => null },
  xo: { name: 'XO', findings: eslintFindings, fixAll: () => null, fixRule: () => null },
  biome: {
    name: 'Biome',
    findings: biomeFindings,
    fixAll: (project, paths) => program(project, 'Biome', 'biome', 'lint', '--write', '--no-errors-on-unmatched', ...paths.map(relative)),
    fixRule: (project, path, rule) => program(project, 'Biome', 'biome', 'lint', '--write', `--only=${rule}`, relative(path)),
  },
  oxlint: {
    name: 'oxlint',
    findings: oxlintFindings,
    fixAll: (project, paths) => program(project, 'oxlint', 'oxlint', '--fix', ...paths.map(relative)),
    // Others are switched off one by one: the rule itself keeps the options that the configuration gives it.
    fixRule: (project, path, _rule, others) => program(project, 'oxlint', 'oxlint', '--fix', ...others.flatMap((other) => ['-A', other]), relative(path)),
  },
};

/**
 * The text with the fixes of one rule. Where two overlap, the first one counts, as with the linter itself, which would come
 * round again; null when none can be made. `text` without a byte-order mark.
 */
export function withFixes(text: string, findings: readonly LintFinding[]): string | null {
  const fixes = findings.flatMap(({ fix }) => fix ?? []).sort((one, other) => one.start - other.start || one.end - other.end);
  let [result, at] = ['', 0];
  for (const { start, end, text: replacement } of fixes) {
    if (start < at || end > text.length) continue;
    result += text.slice(at, start) + replacement;
    at = end;
  }
  result += text.slice(at);
  return result === text ? null : result;
}

/** A file name that starts with a dash is not an option. */
function relative(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}
