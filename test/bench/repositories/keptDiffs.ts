// Writes the proposals that Selfware made for a repository as diffs, so that a person can read and judge them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { Proposal } from '../../../server/src/core/model.ts';

/** Writes one file per proposal, with its verdicts and its diff; the name has its number, its status and its recipe. */
export function writeDiffs(folder: string, proposals: readonly Proposal[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, proposal] of proposals.entries()) {
    const { edits, recipe, status, title, opportunity, verdicts, reason, pointsBefore, pointsAfter } = proposal;
    const gain = pointsBefore && pointsAfter ? (pointsAfter.total - pointsBefore.total).toFixed(3) : 'unknown';
    const head = [
      title,
      `${opportunity.rule} in ${opportunity.path}, ${status}${reason ? `: ${reason}` : ''}; points gained: ${gain}`,
      ...verdicts.map(
        (verdict) => `${verdict.gate}: ${verdict.outcome}, ${(verdict.millis / 1000).toFixed(1)} s. ${verdict.reason}`,
      ),
    ];
    const diffs = edits.map(({ path, before, after }) =>
      createTwoFilesPatch(
        before === null ? '/dev/null' : path,
        after === null ? '/dev/null' : path,
        before ?? '',
        after ?? '',
        '',
        '',
        { context: 4 },
      ),
    );
    writeFileSync(
      join(folder, `${String(index + 1).padStart(3, '0')}-${status}-${recipe}.diff`),
      `${[...head, '', ...diffs].join('\n')}\n`,
    );
  }
}
