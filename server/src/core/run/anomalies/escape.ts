// Recognises a change that was made worse on purpose and still passed all checks: the checks may let other mistakes
// pass.

import type { Anomaly, RunFacts } from './facts.ts';

/** The anomaly; null if no variant has passed since a person last started or continued the run. */
export function findEscape({ escapes, run, since }: RunFacts): Anomaly | null {
  const variant = escapes.find((entry) => entry.run === run && entry.at > since);
  if (!variant) return null;
  const reason =
    `“${variant.title}” was made worse on purpose (${variant.kind}, ${variant.path}:${variant.line}), and all checks passed it. ` +
    'They may let mistakes pass.';
  return { kind: 'escape', reason };
}
