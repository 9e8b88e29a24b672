// Recognises benchmarks by their path.

/** Matches a folder named after benchmarks or performance, and files such as `sort.bench.ts`. */
const BENCHMARK_PATTERN = /(^|\/)[^/]*(?<![a-z])(bench(marks?|es)?|perf(ormance)?)(?![a-z])[^/]*\/|[._-]bench\.\w+$/i;

/**
 * True for the path of a benchmark. Its code may exist only to be measured, and code of other people may lie beside it.
 */
export function isBenchmark(path: string): boolean {
  return BENCHMARK_PATTERN.test(path);
}
