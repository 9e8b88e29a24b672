// Renders the results of checks as Markdown pages: the set-up, the hash chain of the ledger, the baseline, and the
// proof of a change. With several folders, each has a section.

import { joinLines, md, tableRow, type Insertable } from '#protocol/markdown';
import { checkLabel } from '#protocol/plainWords';
import type { BaselineReport } from '../core/session/analyse/analysisTypes.ts';
import type { ChangeProof } from '../core/session/apply/keptChanges.ts';
import type { DoctorFinding } from '../core/session.ts';
import { formatCount } from '../util/counted.ts';
import type { LedgerVerification } from '../core/ports/ledger.ts';

/** The result for one workspace folder. */
export interface FolderResult<T> {
  readonly folder: string;
  readonly result: T;
}

/** Maximum number of fixed entries that a page lists. */
const MAX_FIXED = 200;
/** The outcome of a finding with its mark, separated by a non-breaking space, so that both stay on one line. */
const MARK_BY_OUTCOME = { good: '✓\u00a0good', degraded: '!\u00a0degraded', bad: '✗\u00a0bad' } as const;

/** The page with the findings of `doctor`. */
export function renderDoctorPage(resultByFolder: readonly FolderResult<readonly DoctorFinding[]>[]): string {
  return renderFolders('The set-up', resultByFolder, (findings) => [
    md`| | part | found |`,
    md`|---|---|---|`,
    ...findings.map(({ name, outcome, detail }) => tableRow(MARK_BY_OUTCOME[outcome], name, detail)),
    ...createSection(
      'What to do',
      findings.flatMap(({ name, action }) => (action === null ? [] : [md`- **${name}:** ${action}`])),
    ),
  ]);
}

/** The page about the ledger of each folder. */
export function renderLedgerPage(resultByFolder: readonly FolderResult<LedgerVerification>[]): string {
  return renderFolders('The ledger', resultByFolder, ({ events, intact, brokenAt, reason }) =>
    intact
      ? [`✓ ${formatCount(events, 'event')} as written: each hash includes the one before it.`]
      : [
          md`✗ **Broken at event ${brokenAt ?? 'unknown'}:** ${reason ?? 'the reason is not known.'}`,
          '',
          'Selfware no longer writes to it and applies nothing. Keep the file as it is: it shows what was altered.',
        ],
  );
}

/** The page about the baseline of a folder. */
export function renderBaselinePage(folder: string, { path, held, byRule, fixed }: BaselineReport): string {
  const rules = Object.entries(byRule).toSorted(
    ([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1),
  );
  const rows = fixed.slice(0, MAX_FIXED).map(({ path: file, rule, symbol }) => tableRow(file, rule, symbol ?? ''));
  return renderFolders('The baseline', [{ folder, result: null }], () => [
    `${path} holds ${formatOpportunityCount(held)} that ${held === 1 ? 'is' : 'are'} accepted ` +
      `as ${held === 1 ? 'it is' : 'they are'} and not shown.`,
    ...(rules.length === 0
      ? []
      : ['', md`| rule | accepted |`, md`|---|---:|`, ...rules.map(([rule, count]) => tableRow(rule, count))]),
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
export function renderChangePage(proof: ChangeProof): string {
  const rows = proof.verdicts.map(({ gate, then, now, reason }) =>
    tableRow(checkLabel(gate), then, now === then ? 'the same' : md`**${now}**`, reason),
  );
  const remarks = [...proof.problems, ...(proof.notes ?? [])].map((sentence) => md`- ${sentence}`);
  return renderFolders('The change', [{ folder: '', result: null }], () => [
    md`**${proof.title}** ${formatProof(proof)}`,
    ...(rows.length === 0 ? [] : ['', md`| check | then | now | |`, md`|---|---|---|---|`, ...rows]),
    ...(remarks.length === 0 ? [] : ['', ...remarks]),
    '',
    `Receipt ${proof.receipt}: the record of what was checked, kept with the change.`,
  ]);
}

/** The sentence about the result, which follows the title of the change. */
export function formatProof({ holds }: ChangeProof): string {
  if (holds === null) return 'cannot be shown again.';
  return holds ? 'holds.' : 'does not hold.';
}

/** A number with its noun, such as `1 opportunity` or `2,000 opportunities`. */
export function formatOpportunityCount(count: number): string {
  return formatCount(count, 'opportunity', 'opportunities');
}

/** The page with the content for each folder, under a heading with its name if there are several. */
function renderFolders<T>(
  title: string,
  resultByFolder: readonly FolderResult<T>[],
  contentOf: (content: T) => readonly Insertable[],
): string {
  const sections = resultByFolder.flatMap(({ folder, result }) => [
    ...(resultByFolder.length === 1 ? [] : [md`## ${folder}`, '']),
    ...contentOf(result),
    '',
  ]);
  return joinLines([md`# ${title}`, '', ...sections]).toString();
}

function createSection(title: string, content: readonly Insertable[]): readonly Insertable[] {
  return content.length === 0 ? [] : ['', md`**${title}**`, '', ...content];
}
