// Recognises benchmarks by their path.

const BENCHMARK_PATTERN = /(^|\/)[^/]*(?<![a-z])(bench(marks?|es)?|perf(ormance)?)(?![a-z])[^/]*\/|[._-]bench\.\w+$/i;

/**
 * True for the path of a benchmark. Its code may exist only to be measured, possibly with other people's code beside
 * it.
 */
export function isBenchmark(path: string): boolean {
  return BENCHMARK_PATTERN.test(path);
}
