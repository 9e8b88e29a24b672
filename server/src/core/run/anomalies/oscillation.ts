// Recognises a change that restores code which an earlier change had replaced: A → B → A, even if other changes are in
// between.

import type { Anomaly, ObservedCommit, RunFacts } from './facts.ts';

/** The anomaly; null if no change of the run restores replaced code. */
export function findOscillation({ commits, run, since }: RunFacts): Anomaly | null {
  for (const [index, commit] of commits.entries()) {
    if (commit.run !== run || commit.at <= since) continue;
    const restoredChange = findRestored(commit, commits.slice(0, index));
    if (restoredChange === null) continue;
    const reason = `“${commit.change.title}” brings ${restoredChange.path} back to what it was before “${restoredChange.by}” changed it.`;
    return { kind: 'oscillation', reason };
  }
  return null;
}

/**
 * The earlier change whose original code `commit` restores, if a chain of changes leads from the result of the earlier
 * change to the code that `commit` replaces; otherwise null. `by`: the title of the earlier change. `earlier`: the
 * changes before `commit`, oldest first.
 */
function findRestored(
  commit: ObservedCommit,
  earlier: readonly ObservedCommit[],
): { readonly path: string; readonly by: string } | null {
  for (const { path, from, to } of commit.change.turns ?? []) {
    const steps = earlier.flatMap(({ change }) =>
      (change.turns ?? []).filter((turn) => turn.path === path).map((turn) => ({ ...turn, by: change.title })),
    );
    for (const [index, step] of steps.entries()) {
      if (step.from !== to) continue;
      let reachedText = step.to;
      // A chain does not pass through an empty text: every removal ends there, and every addition begins there.
      for (const nextStep of steps.slice(index + 1))
        if (reachedText !== '' && nextStep.from === reachedText) reachedText = nextStep.to;
      if (reachedText === from || step.to === from) return { path, by: step.by };
    }
  }
  return null;
}
