// Proposes corrected results in the examples of a document.

import type { Opportunity } from '../../model.ts';
import { formatCount } from '../../../util/counted.ts';
import { findWrongExamplesIn } from '../analyse/examples/storedExamples.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import type { JobTable } from '../../jobs.ts';

/**
 * Creates the edit that corrects all wrong one-line examples of the opportunity's document, or returns the reason why
 * there is none. Runs nothing, because the results are known; the check of the claim runs the examples again.
 */
export async function correctExamples(
  context: SessionContext,
  { path }: Opportunity,
): Promise<JobTable['applyRecipe']['output']> {
  const examples = (await findWrongExamplesIn(context, path)).filter(({ stated }) => !stated.includes('\n'));
  const before = await readTextOrNull(context, path);
  if (examples.length === 0 || before === null)
    return { refused: 'The document or the code has changed since; run `selfware examples` again.' };
  const lines = before.split('\n');
  for (const { line, column, stated, actual } of examples) {
    const text = lines[line - 1] ?? '';
    if (!text.startsWith(stated, column)) return { refused: `Line ${line} is not what it was.` };
    const semicolon = stated.endsWith(';') ? ';' : '';
    lines[line - 1] = text.slice(0, column) + actual + semicolon + text.slice(column + stated.length);
  }
  const [first] = examples;
  return {
    edits: [{ path, before, after: lines.join('\n') }],
    title:
      examples.length === 1
        ? `Correct the example of \`${first!.call}\` in ${path}`
        : `Correct ${formatCount(examples.length, 'example')} in ${path}`,
    rationale: [
      ...examples.map(
        ({ line, call, stated, actual }) => `Line ${line}: \`${call}\` returns ${actual}, not ${stated}.`,
      ),
      'The results were measured. If the document is right, the code has a fault: reject the change and fix the code.',
    ].join(' '),
  };
}
