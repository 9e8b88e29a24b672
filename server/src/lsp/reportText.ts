// What checks have found, as Markdown: the set-up, the chain of the ledger, the accepted baseline. One section a folder where there are several.

import { checkLabel } from '#protocol/plainWords';
import type { LedgerVerification } from '../core/ports.ts';
import type { BaselineReport } from '../core/seen.ts';
import type { ChangeProof } from '../core/keptChanges.ts';
import type { Finding } from '../core/session.ts';
import { escaped } from './evidenceText.ts';

/** Of one folder of the workspace. */
export interface OfFolder<T> {
  readonly folder: string;
  readonly found: T;
}

/** Fixed entries that are listed; a page is read, not searched. */
const MOST_FIXED = 200;
const marks = { good: '✓ good', degraded: '! degraded', bad: '✗ bad' } as const;

export function doctorMarkdown(all: readonly OfFolder<readonly Finding[]>[]): string {
  return page('The set-up', all, (findings) => [
    '| | | found |',
    '|---|---|---|',
    ...findings.map(({ name, outcome, detail }) => `| ${marks[outcome]} | ${escaped(name)} | ${escaped(detail)} |`),
    ...section('What to do', findings.flatMap(({ name, action }) => (action === null ? [] : [`- **${escaped(name)}:** ${escaped(action)}`]))),
  ]);
}

export function ledgerMarkdown(all: readonly OfFolder<LedgerVerification>[]): string {
  return page('The ledger', all, ({ events, intact, brokenAt, reason }) =>
    intact
      ? [`✓ All ${events.toLocaleString('en-US')} events are as they were written: the hash of each rests on the one before.`]
      : [`✗ **Broken at event ${brokenAt ?? 'unknown'}:** ${escaped(reason ?? 'the reason is not known.')}`, '', 'Nothing is written to it any more, and nothing is applied. Keep the file as it is: it shows what was altered.'],
  );
}

export function baselineMarkdown(folder: string, { path, held, byRule, fixed }: BaselineReport): string {
  const rules = Object.entries(byRule).toSorted(([one, m], [other, n]) => n - m || (one < other ? -1 : 1));
  const rows = fixed.slice(0, MOST_FIXED).map(({ path: file, rule, symbol }) => `| ${escaped(file)} | ${escaped(rule)} | ${escaped(symbol ?? '')} |`);
  return page('The baseline', [{ folder, found: null }], () => [
    `${escaped(path)} holds ${counted(held)} that ${held === 1 ? 'is' : 'are'} accepted as ${held === 1 ? 'it is' : 'they are'} and not shown.`,
    ...(rules.length === 0 ? [] : ['', '| rule | accepted |', '|---|---:|', ...rules.map(([rule, count]) => `| ${escaped(rule)} | ${count} |`)]),
    ...(rows.length === 0 ? ['', 'Nothing of it is fixed yet.'] : ['', '## Fixed since', '', '"Update" takes these out.', '', '| file | rule | symbol |', '|---|---|---|', ...rows, ...(fixed.length > rows.length ? ['', `And ${fixed.length - rows.length} more.`] : [])]),
  ]);
}

export function changeMarkdown(proof: ChangeProof): string {
  const rows = proof.verdicts.map(({ gate, then, now, reason }) => `| ${checkLabel(gate)} | ${then} | ${now === then ? 'the same' : `**${now}**`} | ${escaped(reason)} |`);
  const told = [...proof.problems, ...(proof.notes ?? [])].map((sentence) => `- ${escaped(sentence)}`);
  return page('The change', [{ folder: '', found: null }], () => [
    `**${escaped(proof.title)}** ${said(proof)}`,
    ...(rows.length === 0 ? [] : ['', '| check | then | now | |', '|---|---|---|---|', ...rows]),
    ...(told.length === 0 ? [] : ['', ...told]),
    '',
    `Receipt ${proof.receipt}: the record of what was checked, kept with the change.`,
  ]);
}

/** Whether what was shown of a change is shown again. */
export function said({ holds }: ChangeProof): string {
  if (holds === null) return 'cannot be shown again.';
  return holds ? 'holds.' : 'does not hold.';
}

export function counted(opportunities: number): string {
  return `${opportunities.toLocaleString('en-US')} ${opportunities === 1 ? 'opportunity' : 'opportunities'}`;
}

function page<T>(title: string, all: readonly OfFolder<T>[], lines: (found: T) => readonly string[]): string {
  return [`# ${title}`, '', ...all.flatMap(({ folder, found }) => [...(all.length === 1 ? [] : [`## ${escaped(folder)}`, '']), ...lines(found), ''])].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `**${title}**`, '', ...lines];
}
