// Formats texts for a terminal: the index, opportunities, verdicts, diffs.

import { checkLabel, checkWords } from '../../protocol/plainWords.ts';
import type { Opportunity, Verdict } from '../../core/model.ts';
import type { HiddenOpportunity } from '../../core/session/analyse/analysisTypes.ts';
import type { IndexReport } from '../../core/session.ts';
import { createVerdictDetails } from '../../core/verify/verdictDetails.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../util/visible.ts';

/** The reason why an opportunity is hidden, in words. */
const HIDDEN_WORDS: Readonly<Record<HiddenOpportunity['by'], string>> = {
  off: 'its rule is off',
  quiet: 'its rule is quiet by default',
  limit: 'below its limit',
  generated: 'not edited by hand',
  dismissed: 'dismissed',
  baseline: 'in the baseline',
  comment: 'suppressed in the code',
};

/** The result of indexing, as lines for a terminal. */
export function formatIndex(report: IndexReport): string {
  const borrowedText =
    report.borrowedTokens > 0 ? ` (${groupThousands(report.borrowedTokens)} of them borrowed from other layers)` : '';
  const lines = [
    `${formatCount(report.files, 'file')}, ${formatCount(report.symbols, 'symbol')}, ${formatCount(report.chunks, 'chunk')} ` +
      `(${report.embedded} embedded, ${report.reused} reused) in ${report.seconds.toFixed(1)} s, peak ${report.peakRssMb} MB`,
    `${groupThousands(report.tokens)} of ${groupThousands(report.budgetTokens)} tokens of semantic memory${borrowedText}; ` +
      `store ${report.store}, embedder ${report.embedder}`,
  ];
  if (report.skipped.length) {
    lines.push(`${report.skipped.length} skipped:`);
    for (const { path, reason } of report.skipped.slice(0, 10)) lines.push(escapeInvisibleLine(`  ${path}: ${reason}`));
    if (report.skipped.length > 10) lines.push(`  … and ${report.skipped.length - 10} more (--json lists all)`);
  }
  return lines.join('\n');
}

/** The number of opportunities for each rule and severity, as lines for a terminal, most frequent first. */
export function formatCounts(opportunities: readonly Opportunity[]): string {
  const rows = new Map<string, { rule: string; severity: string; count: number; applicable: number }>();
  for (const { rule, severity, recipe } of opportunities) {
    const row = rows.get(`${rule} ${severity}`) ?? { rule, severity, count: 0, applicable: 0 };
    row.count++;
    if (recipe) row.applicable++;
    rows.set(`${rule} ${severity}`, row);
  }
  return [...rows.values()]
    .toSorted((a, b) => b.count - a.count || a.rule.localeCompare(b.rule))
    .map(({ rule, severity, count, applicable }) =>
      `  ${String(count).padStart(5)}  ${rule.padEnd(24)} ${severity.padEnd(12)} ${applicable ? `${applicable} with a recipe` : ''}`.trimEnd(),
    )
    .join('\n');
}

/** An opportunity that is hidden by default, with the reason, as a line for a terminal. */
export function formatHidden({ opportunity, by, reason }: HiddenOpportunity, colors: Colors): string {
  const recipe = by === 'off' || by === 'quiet' ? 'recipe with --rule' : 'has a recipe';
  const reasonText = `${HIDDEN_WORDS[by]}${reason === null ? '' : `: ${reason}`}`;
  return `${formatOpportunity(opportunity, colors, recipe)} ${colors.yellow(`(${reasonText})`)}`;
}

/** The counts in the form "7 in the baseline, 2 dismissed"; empty if nothing is hidden. */
export function formatHiddenCounts(hidden: readonly HiddenOpportunity[]): string {
  const counts = new Map<HiddenOpportunity['by'], number>();
  for (const { by } of hidden) counts.set(by, (counts.get(by) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${groupThousands(count)} ${HIDDEN_WORDS[reason]}`)
    .join(', ');
}

/** One opportunity, as a line for a terminal. `recipe`: the words for an opportunity that has a recipe. */
export function formatOpportunity(opportunity: Opportunity, colors: Colors, recipe = 'has a recipe'): string {
  const location = `${opportunity.path}:${opportunity.nameRange.startLine}:${opportunity.nameRange.startColumn}`;
  const origin = `[${opportunity.rule}${opportunity.recipe ? `, ${recipe}` : ''}] ${opportunity.id}`;
  return `${colors.cyan(escapeInvisibleLine(location))} ${escapeInvisibleLine(opportunity.message)} ${colors.dim(origin)}`;
}

/** The number of characters of the longest label of a check. */
export const LABEL_WIDTH = Math.max(...Object.values(checkWords).map(({ label }) => label.length));

/** One verdict as a line for a terminal. */
export function formatVerdict(verdict: Verdict, colors: Colors): string {
  const outcomeText = {
    passed: colors.green('passed '),
    failed: colors.red('failed '),
    unknown: colors.yellow('unknown'),
  }[verdict.outcome];
  const label = checkLabel(verdict.gate).padEnd(LABEL_WIDTH);
  const duration = colors.dim(`(${(verdict.millis / 1000).toFixed(1)} s)`);
  return `  ${label} ${outcomeText} ${escapeInvisible(verdict.reason)} ${duration}`;
}

/** The details of a verdict in addition to its sentence, as lines under a title; none if it has no details. */
export function formatVerdictDetails(verdict: Verdict): string[] {
  const details = createVerdictDetails(verdict);
  if (details === null) return [];
  return [
    `${details.title}:`,
    ...escapeInvisible(details.text)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
}

/** The unified diff with colours for added and removed lines. */
export function colorDiff(diff: string, colors: Colors): string {
  return diff
    .split('\n')
    .map((line) =>
      line.startsWith('+++') || line.startsWith('---')
        ? colors.bold(line)
        : line.startsWith('+')
          ? colors.green(line)
          : line.startsWith('-')
            ? colors.red(line)
            : line.startsWith('@@')
              ? colors.cyan(line)
              : line,
    )
    .join('\n');
}
