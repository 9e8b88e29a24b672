// Recognises benchmarks by their path.

const BENCHMARK = /(^|\/)[^/]*(?<![a-z])(bench(marks?|es)?|perf(ormance)?)(?![a-z])[^/]*\/|[._-]bench\.\w+$/i;

/**
 * True where something may be made for nothing but to be measured, and other people's code lies beside it to be
 * measured as it is.
 */
export function isBenchmark(path: string): boolean {
  return BENCHMARK.test(path);
}
