// Reads the statuses of mutants that a program in the sandbox has written, one line of JSON for each mutant.

import type { InProcessResult, InProcessStatus } from './mutantRuns.ts';
import type { Mutant } from './planMutants.ts';

/** The path, in the work tree, of the request to the program that tries the mutants. */
export const REQUEST_PATH = 'node_modules/.selfware/mutants.json';
/** The path, in the work tree, of the statuses that this program writes. */
export const RESULTS_PATH = 'node_modules/.selfware/mutants.txt';
const KNOWN_STATUSES: ReadonlySet<string> = new Set<InProcessStatus>([
  'noticed',
  'stopped',
  'survived',
  'unreached',
  'invalid',
]);

/**
 * The statuses by mutant, and the mutants that need a separate run (`own`). Skips incomplete lines and lines without a
 * known status; their mutants are tried separately.
 */
export function readStatuses(
  text: string,
  mutants: readonly Mutant[],
): Required<Pick<InProcessResult, 'statuses' | 'own'>> {
  const statuses = new Map<Mutant, InProcessStatus>();
  const mutantsForOwnRun = new Set<Mutant>();
  for (const line of text.split('\n')) {
    const parsed = parseStatusLine(line);
    const mutant = parsed && mutants[parsed.mutant];
    if (mutant && KNOWN_STATUSES.has(parsed.fate)) statuses.set(mutant, parsed.fate as InProcessStatus);
    if (mutant && parsed.fate === 'own') mutantsForOwnRun.add(mutant);
  }
  return { statuses, own: mutantsForOwnRun };
}

function parseStatusLine(line: string): { readonly mutant: number; readonly fate: string } | null {
  try {
    const { mutant, fate } = JSON.parse(line) as { mutant?: unknown; fate?: unknown };
    return typeof mutant === 'number' && typeof fate === 'string' ? { mutant, fate } : null;
  } catch {
    return null;
  }
}
