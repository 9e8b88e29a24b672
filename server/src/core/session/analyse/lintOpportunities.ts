// Turns linter problems into opportunities: one per rule and file for findings with a fix, because the fixer fixes them
// together, and one for each other finding.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { prependPlace } from '../../analysis/headline.ts';
import { formatCount } from '../../../util/counted.ts';
import { sha256 } from '../../../util/hash.ts';
import type { Opportunity } from '../../model.ts';
import { isFoundByLinterRule } from '../../syntax/bugPatterns/linterRules.ts';
import type { LinterKind } from '../../verify/detect/lintCommand.ts';
import { fixers, linterKinds } from '../../verify/linters/lintFixers.ts';
import type { LintFinding } from '../../verify/linters/findings.ts';
import { isFormattingRule } from '../../verify/linters/formattingRules.ts';
import type { SessionContext } from '../context.ts';
import { LINTER_FIX_RECIPE } from '../propose/claims.ts';
import { readTextOrNull } from '../search/packing.ts';

/**
 * The expected share of findings that people act on. A team that configures a rule wants its findings fixed, and knows
 * the effects of its fixer.
 */
const CONFIDENCE = 0.6;
/**
 * `first`: the base of the impact; `more`: the amount that each finding adds; `max`: the maximum. All are below the
 * impact of rules that gain points.
 */
const IMPACT = { first: 4, more: 1, max: 12 } as const;
/** Maximum number of listed files of one rule, for findings without a fix. */
const MAX_FILES_OF_RULE = 3;
/** Maximum number of listed files of all rules, for findings without a fix. */
const MAX_UNFIXED = 30;

/**
 * Selects the findings of linters that are listed: all with a fix and, of the others, for each rule the few files with
 * the most findings. The message about the last listed file of a rule states how many more files there are.
 */
function selectListedFindings(findings: readonly Opportunity[]): readonly Opportunity[] {
  const findingsByRule = new Map<string, Opportunity[]>();
  for (const finding of findings.filter(({ recipe }) => recipe === null)) {
    const group = findingsByRule.get(finding.rule);
    if (group) group.push(finding);
    else findingsByRule.set(finding.rule, [finding]);
  }
  const unfixed = [...findingsByRule.values()].flatMap((findingsOfRule) => {
    const sorted = findingsOfRule.toSorted((a, b) => countIn(b) - countIn(a) || (a.path < b.path ? -1 : 1));
    const [shownFindings, omittedCount] = [sorted.slice(0, MAX_FILES_OF_RULE), sorted.length - MAX_FILES_OF_RULE];
    return shownFindings.map((finding, index) =>
      index === MAX_FILES_OF_RULE - 1 && omittedCount > 0
        ? { ...finding, message: `${finding.message} (and in ${formatCount(omittedCount, 'more file')})` }
        : finding,
    );
  });
  return [...findings.filter(({ recipe }) => recipe !== null), ...unfixed.slice(0, MAX_UNFIXED)];
}

/**
 * Limits the findings of linters, so that the list does not become too long. `opportunities`: those that nothing else
 * hides. `omittedFindings`: the findings that are not shown.
 */
export function splitByListLimit(opportunities: readonly Opportunity[]): {
  readonly shown: readonly Opportunity[];
  readonly omittedFindings: readonly Opportunity[];
} {
  const isFromLinter = ({ rule }: Opportunity) => parseLinterRule(rule) !== null;
  const linterFindings = opportunities.filter(isFromLinter);
  const shownFindings = selectListedFindings(linterFindings);
  const ids = new Set(shownFindings.map(({ id }) => id));
  return {
    shown: [...opportunities.filter((opportunity) => !isFromLinter(opportunity)), ...shownFindings],
    omittedFindings: linterFindings.filter(({ id }) => !ids.has(id)),
  };
}

/** Removes the bug patterns that a linter of the repository also reports in the same place. */
export function removeLintedPatterns(
  opportunities: readonly Opportunity[],
  ofLinters: readonly Opportunity[],
): readonly Opportunity[] {
  return opportunities.filter(({ path, range, evidence }) => {
    const { pattern } = evidence;
    // A finding of a linter may represent all findings of its rule in the file.
    return !ofLinters.some(
      (linted) =>
        typeof pattern === 'string' &&
        linted.path === path &&
        isFoundByLinterRule(pattern, String(linted.evidence['linterRule'])) &&
        (countIn(linted) > 1 || (linted.range.startLine <= range.endLine && linted.range.endLine >= range.startLine)),
    );
  });
}

/** Matches files in languages for which Selfware has few rules. */
const FEW_RULES_PATTERN = /\.(?:pyi?|go|rs)$/;

/**
 * Moves the findings of linters in languages for which Selfware has few rules to the front, if most code is in these
 * languages. `paths`: all files.
 */
export function moveLintersFirst(
  opportunities: readonly Opportunity[],
  paths: Iterable<string>,
): readonly Opportunity[] {
  let balance = 0;
  for (const path of paths) balance += FEW_RULES_PATTERN.test(path) ? 1 : SCRIPT_PATTERN.test(path) ? -1 : 0;
  if (balance <= 0) return opportunities;
  const isFirst = ({ rule, path }: Opportunity) => FEW_RULES_PATTERN.test(path) && parseLinterRule(rule) !== null;
  return [...opportunities.filter(isFirst), ...opportunities.filter((opportunity) => !isFirst(opportunity))];
}

/** The number of findings that the opportunity represents. */
function countIn({ evidence }: Opportunity): number {
  return Number(evidence['findings']);
}

/**
 * Groups the findings into opportunities. Paths of the findings are relative to the root. Skips findings in files that
 * cannot be read, and findings for the repository's formatter. `hasFormatter`: true if the repository has one for
 * scripts.
 */
export async function createLintOpportunities(
  context: SessionContext,
  kind: LinterKind,
  findings: readonly LintFinding[],
  hasFormatter: boolean,
): Promise<readonly Opportunity[]> {
  const groups = new Map<string, LintFinding[]>();
  for (const finding of findings.filter(({ rule }) => !isFormattingRule(kind, rule, hasFormatter))) {
    const key = `${finding.path}\0${finding.rule}\0${finding.fix !== null}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const opportunities: Opportunity[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    const text = first && (await readTextOrNull(context, first.path));
    if (first && typeof text === 'string') opportunities.push(createOpportunity(kind, first, group, text));
  }
  return opportunities;
}

/** Splits `lint/eslint/prefer-const` into the linter and its rule; null for one of our rules. */
export function parseLinterRule(rule: string): { readonly kind: LinterKind; readonly rule: string } | null {
  const [, linterName, name] = /^lint\/([a-z]+)\/(.+)$/.exec(rule) ?? [];
  const kind = linterKinds.find((linterKind) => linterKind === linterName);
  return kind && name ? { kind, rule: name } : null;
}

/** True for a rule of a linter, such as `lint/eslint/semi`, whose findings a formatter would fix. */
export function isLayoutFinding(rule: string): boolean {
  const linterRule = parseLinterRule(rule);
  return linterRule !== null && isFormattingRule(linterRule.kind, linterRule.rule, true);
}

function createOpportunity(
  kind: LinterKind,
  first: LintFinding,
  group: readonly LintFinding[],
  text: string,
): Opportunity {
  const lines = text.split('\n');
  const rule = `lint/${kind}/${first.rule}`;
  const hasFix = first.fix !== null;
  const { name } = fixers[kind];
  const groupText = group.length > 1 ? `${group.length} of these` : 'this';
  const times = group.length > 1 ? ` finds ${group.length} of these` : '';
  // The id depends on the text of these lines, and not on their place.
  const lineTexts = group.map(({ line }) => (lines[line - 1] ?? '').trim()).sort();
  const range = {
    startLine: first.line,
    startColumn: first.column,
    endLine: first.endLine,
    endColumn: first.endColumn,
  };
  return {
    id: sha256(
      new TextEncoder().encode(JSON.stringify([rule, first.path, lineTexts, ...(hasFix ? [] : ['unfixed'])])),
    ).slice(0, 16),
    rule,
    path: first.path,
    range,
    nameRange: range,
    symbol: null,
    severity: 'hint',
    impact: Math.min(IMPACT.max, IMPACT.first + IMPACT.more * group.length),
    confidence: CONFIDENCE,
    message: prependPlace(
      hasFix ? `${name} can fix ${groupText}: ${first.message}` : `${name}${times}: ${first.message}`,
      {
        symbol: null,
        path: first.path,
      },
    ),
    evidence: { linter: name, linterRule: first.rule, findings: group.length },
    recipe: hasFix ? LINTER_FIX_RECIPE : null,
  };
}
