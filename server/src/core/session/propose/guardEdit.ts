// Proposes tests that notice the mistakes in a function which no test notices so far.

import { formatCount } from '../../../util/counted.ts';
import type { FileEdit, Opportunity } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { applySplices, type UnguardedFunction } from '../../verify/guard/unguarded.ts';
import { lineText, findUnguardedFunction } from '../analyse/unguarded/unguardedMistakes.ts';
import { readTextOrNull } from '../search/packing.ts';
import { sortNamedTestsFirst, findReachingTests } from '../verify/reachingTests.ts';
import type { JobTable } from '../../jobs.ts';

/**
 * Creates the edit that adds the tests, or returns the reason why there is none. Runs nothing, because the calls are
 * known, and the gates verify the tests.
 */
export async function createGuardEdit(
  context: SessionContext,
  opportunity: Opportunity,
  signal: AbortSignal,
): Promise<JobTable['applyRecipe']['output']> {
  const unguarded = await findUnguardedFunction(context, opportunity);
  if (!unguarded) return { refused: 'The code or its tests have changed since; run `selfware unguarded` again.' };
  const { name, calls, mistakes } = unguarded;
  const edit =
    'splices' in unguarded.test
      ? await spliceTest(context, unguarded.test)
      : await createScriptEdit(context, unguarded, signal);
  if ('refused' in edit) return edit;
  const tests = formatCount(calls.length, 'test');
  const notices = calls.length === 1 ? 'This test notices' : 'These tests notice';
  const example = `\`${mistakes[0]!.shown}\` in ${lineText(mistakes[0]!)}`;
  const unnoticedPhrase = unguarded.nearby ? 'that no other test nearby notices' : 'that no other test notices';
  const mistakesText =
    mistakes.length === 1
      ? `a mistake ${unnoticedPhrase}: ${example}`
      : `${formatCount(mistakes.length, 'mistake')} ${unnoticedPhrase}, such as ${example}`;
  return {
    edits: [edit],
    title: `Add ${calls.length === 1 ? 'a test' : tests} for ${name}`,
    rationale: [
      `${notices} ${mistakesText}.`,
      'The results were measured: they show what the code does, not what it should do.',
    ].join(' '),
    addresses: mistakes.map(({ place }) => place),
    ...(unguarded.nearby ? { nearby: true } : {}),
  };
}

/** The edit of a test file, or the reason why no test can be written. */
type WrittenGuardTest = FileEdit | { readonly refused: string };

/** Creates the edit that adds tests to a test file of scripts. */
async function createScriptEdit(
  { ports, state }: SessionContext,
  { path, name, exportedAs, className, calls, runner }: UnguardedFunction,
  signal: AbortSignal,
): Promise<WrittenGuardTest> {
  const [writtenTest] = await ports.jobs.run(
    'guardingTests',
    {
      rootDir: ports.files.rootDir,
      functions: [{ path, name, exportedAs, ...(className !== undefined && { className }), calls }],
      tests: { [path]: sortNamedTestsFirst(findReachingTests(state.imports, [path]), path) },
      runner,
    },
    signal,
  );
  if (!writtenTest) return { refused: 'No test can be written.' };
  return 'refused' in writtenTest.test ? writtenTest.test : writtenTest.test.edit;
}

/** Creates the edit that inserts the test which the search for calls has written. */
async function spliceTest(context: SessionContext, test: UnguardedFunction['test']): Promise<WrittenGuardTest> {
  if ('refused' in test) return test;
  const { path, splices = [] } = test;
  const before = await readTextOrNull(context, path);
  return { path, before, after: applySplices(before ?? '', splices) };
}
