// Recognises benchmarks by their path.

const BENCHMARK = /(^|\/)[^/]*(?<![a-z])(bench(marks?|es)?|perf(ormance)?)(?![a-z])[^/]*\/|[._-]bench\.\w+$/i;

/** True for benchmarks. Their code may exist only to be measured, possibly with other people's code beside it. */
export function isBenchmark(path: string): boolean {
  return BENCHMARK.test(path);
}
