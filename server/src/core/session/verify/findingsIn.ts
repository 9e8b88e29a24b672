// Counts the findings of rules about single files in a text, which need not be in the tree. The examples of a document
// are run.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { checkExamplesOf, isDocument } from '../analyse/examples/searchExamples.ts';
import { WRONG_EXAMPLE_RULE } from '../analyse/examples/storedExamples.ts';
import type { SessionContext } from '../context.ts';

/** Maximum number of seconds for running the examples of one document. */
const MAX_SECONDS = 60;

/**
 * Number of findings by rule. Findings that a comment in the text suppresses do not count. The examples of Markdown
 * always count; those in the comments of a script only if `rule` is about them, because running them takes long.
 */
export async function countFindings(
  context: SessionContext,
  path: string,
  text: string,
  rule: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const bytes = new TextEncoder().encode(text);
  const file = { path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: '' };
  const [analysis] = await context.ports.jobs.run('analyse', [file], signal);
  const counts = new Map<string, number>();
  for (const { rule } of analysis?.opportunities ?? []) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (isDocument(path) && (rule === WRONG_EXAMPLE_RULE || !SCRIPT_PATTERN.test(path))) {
    const wrongExamples = await checkExamplesOf(context, [{ path, text }], { seconds: MAX_SECONDS, signal });
    if (wrongExamples.length > 0) counts.set(WRONG_EXAMPLE_RULE, wrongExamples.length);
  }
  return counts;
}
