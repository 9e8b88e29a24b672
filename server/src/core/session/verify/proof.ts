// Provides the parts of a session that the gates `differential` and `guard` need.

import { findRecipeFacts } from '../../propose/recipeTable.ts';
import type { ProofContext } from '../../verify/proof.ts';
import type { SessionContext } from '../context.ts';

/**
 * Creates the context of the gates `differential` and `guard`: settings, planning jobs, the programs that run in the
 * sandbox (for scripts, for test runners of scripts, and for Python), and facts about recipes. `signal` cancels the
 * jobs.
 */
export function createProofContext({ ports, settings }: SessionContext, signal: AbortSignal): ProofContext {
  return {
    settings: {
      guardSeconds: settings['verify.guardSeconds'],
      guardMutants: settings['verify.guardMutants'],
      guardStrength: settings['verify.guardStrength'],
      differentialSeconds: settings['verify.differentialSeconds'],
      traceSeconds: settings['verify.traceSeconds'],
    },
    harness: ports.harness ?? null,
    inTests: ports.inTests ?? null,
    python: ports.python ?? null,
    planDifferential: (edits, tests) =>
      ports.jobs.run('planDifferential', { rootDir: ports.files.rootDir, edits, ...(tests ? { tests } : {}) }, signal),
    planTraces: (edits) => ports.jobs.run('planTraces', { edits }, signal),
    planMutants: (edits, maxMutants) => ports.jobs.run('planMutants', { edits, most: maxMutants }, signal),
    changesBehavior: (recipe) => findRecipeFacts(recipe)?.changesBehavior ?? false,
    checksImporters: (recipe) => findRecipeFacts(recipe)?.checksImporters ?? false,
  };
}
