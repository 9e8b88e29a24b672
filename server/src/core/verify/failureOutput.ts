// What a run of tests said when it failed: the lines that a person or an agent needs to see why.

import type { Verdict } from '../model.ts';

const MAX_LINES = 24;

/**
 * The runner's messages about the failing tests, or else the last lines that the command printed. Null if the verdict
 * is not a failed one of the tests, or if nothing was printed.
 */
export function failureOutput({ gate, outcome, evidence }: Verdict): string | null {
  if (gate !== 'tests' || outcome !== 'failed') return null;
  const { messages, output } = evidence;
  if (typeof messages === 'string') return shortened(messages.split('\n'), 'head');
  return typeof output === 'string' ? shortened(output.split('\n'), 'tail') : null;
}

/** The lines that say something, at most `MAX_LINES` of them from one end. */
function shortened(lines: readonly string[], kept: 'head' | 'tail'): string | null {
  const telling = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
  if (telling.length === 0) return null;
  if (telling.length <= MAX_LINES) return telling.join('\n');
  return (kept === 'head' ? [...telling.slice(0, MAX_LINES), '…'] : ['…', ...telling.slice(-MAX_LINES)]).join('\n');
}
