// What a test run says about itself, in the same words for every runner.

/** Names identify tests well enough to compare two runs of the same command; they are not unique. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedNames: readonly string[];
}

/** Null = not this runner's output. */
export type TestParser = (text: string) => TestCounts | null;

/** `failed` is raised to the number of names: suites that did not load count as failures, too. */
export function counts(passed: number, failed: number, skipped: number, names: Iterable<string>): TestCounts {
  const failedNames = [...new Set(names)];
  return { passed, failed: Math.max(failed, failedNames.length), skipped, failedNames };
}

/** Sum of the first group of every match; a match without digits counts nothing. */
export function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, match) => total + (Number(match[1]) || 0), 0);
}

/** First group of every match. */
export function groups(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => (match[1] === undefined ? [] : [match[1].trim()]));
}
