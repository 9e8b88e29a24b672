// Determines how many inputs property tests try, and with which seed. By default, every run uses the same inputs, so
// that a test fails because of a change and not by chance. `SELFWARE_TRIES=25 npm run test:unit` searches with new
// inputs, 25 times as many. Each failure that is found becomes a test case.

const tries = Number(process.env['SELFWARE_TRIES'] ?? 1);
const SEED = 20_260_101;

/** Options for fast-check: `usual` inputs from the fixed seed, or `SELFWARE_TRIES` times as many random ones. */
export function runs(usual: number): { readonly numRuns: number; readonly seed?: number } {
  return tries > 1 ? { numRuns: usual * tries } : { numRuns: usual, seed: SEED };
}
