// Recognises a change that brings code back to what an earlier change had replaced: A → B → A, also through other
// changes.

import type { Anomaly, Committed, Facts } from './facts.ts';

/** The anomaly; null if no change of the run does that. */
export function oscillation({ commits, run, since }: Facts): Anomaly | null {
  for (const [at, one] of commits.entries()) {
    if (one.run !== run || one.at <= since) continue;
    const back = turnedBack(one, commits.slice(0, at));
    if (back === null) continue;
    const reason = `“${one.change.title}” brings ${back.path} back to what it was before “${back.by}” changed it.`;
    return { kind: 'oscillation', reason };
  }
  return null;
}

/**
 * The earlier change whose original code this one restores, if a chain of changes leads from there to here; null if
 * there is none. `earlier`: oldest first.
 */
function turnedBack(
  one: Committed,
  earlier: readonly Committed[],
): { readonly path: string; readonly by: string } | null {
  for (const { path, from, to } of one.change.turns ?? []) {
    const steps = earlier.flatMap(({ change }) =>
      (change.turns ?? []).filter((turn) => turn.path === path).map((turn) => ({ ...turn, by: change.title })),
    );
    for (const [at, step] of steps.entries()) {
      if (step.from !== to) continue;
      let reached = step.to;
      // A chain does not pass through an empty text: every removal ends there, and every addition begins there.
      for (const next of steps.slice(at + 1)) if (reached !== '' && next.from === reached) reached = next.to;
      if (reached === from || step.to === from) return { path, by: step.by };
    }
  }
  return null;
}
