// Counts the findings of rules about single files in a text, which need not be in the tree.

import type { SessionContext } from '../context.ts';

/** Number of findings by rule. Findings that a comment in the text suppresses do not count. */
export async function countFindings(
  { ports }: SessionContext,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const bytes = new TextEncoder().encode(text);
  const file = { path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: '' };
  const [analysis] = await ports.jobs.run('analyse', [file], signal);
  const counts = new Map<string, number>();
  for (const { rule } of analysis?.opportunities ?? []) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
