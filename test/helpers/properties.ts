// How often a property is tried, and with which seed: the same inputs in every run, so that a test fails because of a
// change and not by chance. To search with new inputs, many times as many: `SELFWARE_TRIES=25 npx vitest run
// test/unit`. Each failure that is found becomes a test case.

const tries = Number(process.env['SELFWARE_TRIES'] ?? 1);
const SEED = 20_260_101;

/** Options for fast-check: `usual` inputs of the fixed seed, or `SELFWARE_TRIES` times as many fresh ones. */
export function runs(usual: number): { readonly numRuns: number; readonly seed?: number } {
  return tries > 1 ? { numRuns: usual * tries } : { numRuns: usual, seed: SEED };
}
