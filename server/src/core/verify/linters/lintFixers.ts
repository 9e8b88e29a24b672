// Linters that fix their findings, and the commands with which each fixes all findings, or the findings of one rule in
// one file.

import { createRepositoryCommand, createMachineCommand, type DetectedCommand } from '../detect/command.ts';
import { listGoPackages } from '../detect/languageLinters.ts';
import { protectPath, type LinterKind } from '../detect/lintCommand.ts';
import type { DetectedProject } from '../detect/project.ts';
import {
  readBiomeFindings,
  readEslintFindings,
  readOxlintFindings,
  type LintFinding,
  type TextFix,
} from './findings.ts';
import { readClippyFindings, readGoFindings, readGolangciFindings, readRuffFindings } from './languageFindings.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** A linter whose fixes can be applied here. */
export interface Fixer {
  /** The name of the linter for people. */
  readonly name: string;
  /** Parses the findings in the output of the check; null if the output has an unknown form. */
  findings(output: string): LintFinding[] | null;
  /**
   * The unit of the offsets in a finding's fix, if the finding includes one: UTF-16 units of the text without a
   * byte-order mark, or bytes of the file.
   */
  readonly offsetUnit: 'units' | 'bytes';
  /**
   * The command that fixes all fixable findings, so that only the others remain. Null if the findings state which of
   * them have a fix.
   */
  fixAll(project: DetectedProject, paths: readonly string[]): DetectedCommand | null;
  /**
   * The command that fixes the findings of `rule` in the file. `otherRules`: other rules with findings in the file.
   * Null if the findings include their fixes. A Go command fixes the whole package, but only the file is used.
   */
  fixRule(project: DetectedProject, path: string, rule: string, otherRules: readonly string[]): DetectedCommand | null;
}

/** The fixer of each linter. Only safe fixes are applied, not those that a linter calls unsafe or suggestions. */
export const fixers: Readonly<Record<LinterKind, Fixer>> = {
  eslint: {
    name: 'ESLint',
    findings: readEslintFindings,
    offsetUnit: 'units',
    fixAll: () => null,
    fixRule: () => null,
  },
  xo: { name: 'XO', findings: readEslintFindings, offsetUnit: 'units', fixAll: () => null, fixRule: () => null },
  biome: {
    name: 'Biome',
    findings: readBiomeFindings,
    offsetUnit: 'units',
    fixAll: (project, paths) =>
      createRepositoryCommand(
        project,
        'Biome',
        'biome',
        'lint',
        '--write',
        '--no-errors-on-unmatched',
        ...paths.map(protectPath),
      ),
    fixRule: (project, path, rule) =>
      createRepositoryCommand(project, 'Biome', 'biome', 'lint', '--write', `--only=${rule}`, protectPath(path)),
  },
  oxlint: {
    name: 'oxlint',
    findings: readOxlintFindings,
    offsetUnit: 'units',
    fixAll: (project, paths) =>
      createRepositoryCommand(project, 'oxlint', 'oxlint', '--fix', ...paths.map(protectPath)),
    // All other rules are switched off, so that this rule keeps its options from the configuration.
    fixRule: (project, path, _rule, otherRules) =>
      createRepositoryCommand(
        project,
        'oxlint',
        'oxlint',
        '--fix',
        ...otherRules.flatMap((otherRule) => ['-A', otherRule]),
        protectPath(path),
      ),
  },
  ruff: {
    name: 'Ruff',
    findings: readRuffFindings,
    offsetUnit: 'units',
    fixAll: () => null,
    fixRule: (project, path, rule) =>
      createMachineCommand(
        project,
        'Ruff',
        'ruff',
        'check',
        '--fix-only',
        '--no-cache',
        `--select=${rule}`,
        protectPath(path),
      ),
  },
  clippy: {
    name: 'Clippy',
    findings: readClippyFindings,
    offsetUnit: 'bytes',
    fixAll: () => null,
    fixRule: () => null,
  },
  golangci: {
    name: 'golangci-lint',
    findings: readGolangciFindings,
    offsetUnit: 'bytes',
    fixAll: () => null,
    fixRule: () => null,
  },
  vet: createGoFixer('vet', '-fix'),
  gofix: createGoFixer('fix'),
};

/** A fixer for linters that fix a whole package. Only the requested file is taken from the result. */
function createGoFixer(verb: 'vet' | 'fix', ...args: readonly string[]): Fixer {
  const name = `go ${verb}`;
  return {
    name,
    findings: readGoFindings,
    offsetUnit: 'bytes',
    fixAll: () => null,
    fixRule: (project, path, rule) =>
      createMachineCommand(project, name, 'go', verb, ...args, `-${rule}`, ...listGoPackages([path])),
  };
}

/** The names of the linters in the ids of opportunities. */
export const linterKinds = Object.keys(fixers) as readonly LinterKind[];

/**
 * The text with the fixes of one rule; null if none can be applied. Of two overlapping fixes, only the first is
 * applied; the linters themselves apply the second one in another round.
 */
export function applyFixes(
  text: string,
  findings: readonly LintFinding[],
  offsets: Fixer['offsetUnit'],
): string | null {
  const mark = offsets === 'units' && text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const source = offsets === 'bytes' ? Buffer.from(text) : text.slice(mark.length);
  const acceptedEdits = selectCompatibleEdits(
    findings.flatMap(({ fix }) => (Array.isArray(fix) ? [fix as readonly TextFix[]] : [])),
    source.length,
  );
  let [result, copiedUntil] = [mark, 0];
  for (const { start, end, text: replacement } of acceptedEdits) {
    result += source.slice(copiedUntil, start).toString() + replacement;
    copiedUntil = end;
  }
  result += source.slice(copiedUntil).toString();
  return result === text ? null : result;
}

/** The edits of all fixes that can be applied together, in order. A fix is applied as a whole or not at all. */
function selectCompatibleEdits(fixes: readonly (readonly TextFix[])[], length: number): readonly TextFix[] {
  const accepted: TextFix[] = [];
  const findStart = (fix: readonly TextFix[]) => Math.min(...fix.map(({ start }) => start));
  const findEnd = (fix: readonly TextFix[]) => Math.max(...fix.map(({ end }) => end));
  for (const fix of fixes.toSorted((a, b) => findStart(a) - findStart(b) || findEnd(a) - findEnd(b))) {
    const overlapsAccepted = ({ start, end }: TextFix) =>
      end < start ||
      end > length ||
      accepted.some((acceptedEdit) => start < acceptedEdit.end && acceptedEdit.start < end) ||
      accepted.some((acceptedEdit) => start === acceptedEdit.start && end === acceptedEdit.end);
    if (fix.length > 0 && !fix.some(overlapsAccepted)) accepted.push(...fix);
  }
  return accepted.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
