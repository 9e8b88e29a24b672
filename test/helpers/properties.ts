// How often a property is tried, and from which seed: the same inputs in every run, so that a run is red for a change
// and not by chance.
// To hunt with fresh inputs, many times as many: `SELFWARE_TRIES=25 npx vitest run test/unit`. What is found becomes an
// example of its own.

const tries = Number(process.env['SELFWARE_TRIES'] ?? 1);
const SEED = 20_260_101;

/** Options for fast-check: `usual` inputs of the fixed seed, or `SELFWARE_TRIES` times as many fresh ones. */
export function runs(usual: number): { readonly numRuns: number; readonly seed?: number } {
  return tries > 1 ? { numRuns: usual * tries } : { numRuns: usual, seed: SEED };
}
