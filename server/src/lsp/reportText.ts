// Renders the results of checks as Markdown pages: the set-up, the hash chain of the ledger, the baseline, and the
// proof of a change. With several folders, each has a section.

import { joinLines, md, row, type Insertable } from '#protocol/markdown';
import { checkLabel } from '#protocol/plainWords';
import type { BaselineReport } from '../core/session/analyse/analysisTypes.ts';
import type { ChangeProof } from '../core/session/apply/keptChanges.ts';
import type { DoctorFinding } from '../core/session.ts';
import { counted } from '../util/counted.ts';
import type { LedgerVerification } from '../core/ports/ledger.ts';

/** The result for one workspace folder. */
export interface FolderResult<T> {
  readonly folder: string;
  readonly result: T;
}

/** Maximum number of fixed entries that a page lists. */
const MAX_FIXED = 200;
/** The outcome of a finding with its mark, separated by a non-breaking space, so that both stay on one line. */
const marks = { good: '✓\u00a0good', degraded: '!\u00a0degraded', bad: '✗\u00a0bad' } as const;

/** The page with the findings of `doctor`. */
export function doctorMarkdown(all: readonly FolderResult<readonly DoctorFinding[]>[]): string {
  return reportOfFolders('The set-up', all, (findings) => [
    md`| | part | found |`,
    md`|---|---|---|`,
    ...findings.map(({ name, outcome, detail }) => row(marks[outcome], name, detail)),
    ...createSection(
      'What to do',
      findings.flatMap(({ name, action }) => (action === null ? [] : [md`- **${name}:** ${action}`])),
    ),
  ]);
}

/** The page about the ledger of each folder. */
export function ledgerMarkdown(all: readonly FolderResult<LedgerVerification>[]): string {
  return reportOfFolders('The ledger', all, ({ events, intact, brokenAt, reason }) =>
    intact
      ? [`✓ ${counted(events, 'event')} as written: each hash includes the one before it.`]
      : [
          md`✗ **Broken at event ${brokenAt ?? 'unknown'}:** ${reason ?? 'the reason is not known.'}`,
          '',
          'Selfware no longer writes to it and applies nothing. Keep the file as it is: it shows what was altered.',
        ],
  );
}

/** The page about the baseline of a folder. */
export function baselineMarkdown(folder: string, { path, held, byRule, fixed }: BaselineReport): string {
  const rules = Object.entries(byRule).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rows = fixed.slice(0, MAX_FIXED).map(({ path: file, rule, symbol }) => row(file, rule, symbol ?? ''));
  return reportOfFolders('The baseline', [{ folder, result: null }], () => [
    `${path} holds ${opportunityCount(held)} that ${held === 1 ? 'is' : 'are'} accepted ` +
      `as ${held === 1 ? 'it is' : 'they are'} and not shown.`,
    ...(rules.length === 0
      ? []
      : ['', md`| rule | accepted |`, md`|---|---:|`, ...rules.map(([rule, count]) => row(rule, count))]),
    ...(rows.length === 0
      ? ['', 'None of it is fixed yet.']
      : [
          '',
          md`## Fixed since`,
          '',
          '"Update" takes these out.',
          '',
          md`| file | rule | symbol |`,
          md`|---|---|---|`,
          ...rows,
          ...(fixed.length > rows.length ? ['', `And ${fixed.length - rows.length} more.`] : []),
        ]),
  ]);
}

/** The page about the checks of a kept change that were run again. */
export function changeMarkdown(proof: ChangeProof): string {
  const rows = proof.verdicts.map(({ gate, then, now, reason }) =>
    row(checkLabel(gate), then, now === then ? 'the same' : md`**${now}**`, reason),
  );
  const remarks = [...proof.problems, ...(proof.notes ?? [])].map((sentence) => md`- ${sentence}`);
  return reportOfFolders('The change', [{ folder: '', result: null }], () => [
    md`**${proof.title}** ${proofSentence(proof)}`,
    ...(rows.length === 0 ? [] : ['', md`| check | then | now | |`, md`|---|---|---|---|`, ...rows]),
    ...(remarks.length === 0 ? [] : ['', ...remarks]),
    '',
    `Receipt ${proof.receipt}: the record of what was checked, kept with the change.`,
  ]);
}

/** The sentence about the result, which follows the title of the change. */
export function proofSentence({ holds }: ChangeProof): string {
  if (holds === null) return 'cannot be shown again.';
  return holds ? 'holds.' : 'does not hold.';
}

/** A number with its noun, such as `1 opportunity` or `2,000 opportunities`. */
export function opportunityCount(count: number): string {
  return counted(count, 'opportunity', 'opportunities');
}

/** The page with the content for each folder, under a heading with its name if there are several. */
function reportOfFolders<T>(
  title: string,
  all: readonly FolderResult<T>[],
  contentOf: (content: T) => readonly Insertable[],
): string {
  const sections = all.flatMap(({ folder, result: findings }) => [
    ...(all.length === 1 ? [] : [md`## ${folder}`, '']),
    ...contentOf(findings),
    '',
  ]);
  return joinLines([md`# ${title}`, '', ...sections]).toString();
}

function createSection(title: string, content: readonly Insertable[]): readonly Insertable[] {
  return content.length === 0 ? [] : ['', md`**${title}**`, '', ...content];
}
