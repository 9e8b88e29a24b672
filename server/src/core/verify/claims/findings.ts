// Shows fewer findings: the rule that a recipe works for finds less in the edited files, and no other rule finds more.

import type { GateRun } from '../gate.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';
import { counted } from '../../../util/counted.ts';

/**
 * Shows that there are fewer findings. Only for recipes of the product; what a linter finds is shown by the gate
 * `lint`.
 */
export async function showFewerFindings({ context, edits, proposal }: GateRun): Promise<GateAnswer> {
  if (!context.findings) return unknown('Nothing here counts the findings of both sides.');
  const { rule } = proposal.opportunity;
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  for (const { path, before: old, after: changed } of edits) {
    for (const [text, counts] of [
      [old, before],
      [changed, after],
    ] as const)
      for (const [rule, count] of text === null ? [] : await context.findings(path, text))
        counts.set(rule, (counts.get(rule) ?? 0) + count);
  }
  const count = (counts: ReadonlyMap<string, number>, id: string) => counts.get(id) ?? 0;
  const [was, is] = [count(before, rule), count(after, rule)];
  const evidence = { findingsBefore: was, findings: is };
  if (is >= was) return failed(`${rule} finds no fewer places with the change (${was} → ${is}).`, evidence);
  const newFinding = [...after.keys()].find((id) => count(after, id) > count(before, id));
  if (newFinding !== undefined)
    return failed(`With the change, ${newFinding} finds more places than without it.`, evidence);
  return passed(
    `${rule} finds ${counted(was - is, 'place')} fewer (${was} → ${is}), and no other rule finds more.`,
    evidence,
  );
}
