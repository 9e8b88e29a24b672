// Recognises a variant of a change that was made worse on purpose and passed all checks: the checks may let other
// mistakes pass.

import type { Anomaly, Facts } from './facts.ts';

/** The anomaly; null if no variant has passed since a person last started or continued the run. */
export function escape({ escapes, run, since }: Facts): Anomaly | null {
  const found = escapes.find((one) => one.run === run && one.at > since);
  if (!found) return null;
  const reason =
    `“${found.title}” was made worse on purpose (${found.kind}, ${found.path}:${found.line}), and all checks passed it. ` +
    'They may let mistakes pass.';
  return { kind: 'escape', reason };
}
