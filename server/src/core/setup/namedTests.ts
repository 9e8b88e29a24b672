// How many tests the test files of a repository name, roughly: a run of a small part of them is not the whole.

const SHAPES: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:[cm]?[jt]sx?)$/, /(?:^|[\s;({])(?:it|test|specify)(?:\.\w{1,20}){0,2}\(/g],
  [/\.py$/, /^\s{0,20}(?:async )?def test_/gm],
  [/_test\.go$/, /^func Test/gm],
  [/\.rs$/, /#\[(?:tokio::)?test\]/g],
];
/** A run of a smaller share is taken for a part. Files may name tests that another command runs. */
const PART = 0.2;
/** Below that, a share says nothing. */
const FEWEST = 20;

/** In one file; 0 where its language is not known. */
export function namedTests(path: string, text: string): number {
  const shape = SHAPES.find(([files]) => files.test(path))?.[1];
  return shape === undefined ? 0 : [...text.matchAll(shape)].length;
}

/** True where so few of the named tests ran that most are missing. */
export function isPart(ran: number, named: number): boolean {
  return named >= FEWEST && ran < named * PART;
}
