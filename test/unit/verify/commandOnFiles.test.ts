// Which files run if only the tests that reach some code are to run.

import { expect, test } from 'vitest';
import { createCommandForFiles } from '../../../server/src/core/verify/guard/survivors.ts';
import { createPart } from '../../helpers/createPart.ts';

/** The files that run if all tests consist of cases in the files `ran`, and those in `testFiles` reach the code. */
function filesOf(ran: readonly string[], testFiles: readonly string[]): readonly string[] {
  let files: readonly string[] = [];
  const cases = ran.map((file) => ({ file, name: 'a', outcome: 'passed', millis: null }));
  const commands = { onFiles: (chosen: readonly string[]) => ((files = chosen), null) };
  createCommandForFiles(
    createPart<Parameters<typeof createCommandForFiles>[0]>({ base: { value: { cases } }, commands }),
    testFiles,
  );
  return files;
}

test('examples in the documentation of Python code run beside the tests that reach it', () => {
  const ran = ['src/a.py', 'src/b.py', 'tests/test_a.py', 'tests/test_b.py'];
  expect(filesOf(ran, ['tests/test_a.py'])).toEqual(['tests/test_a.py', 'src/a.py', 'src/b.py']);
});

test('without tests that reach the code all tests run, and a script that is a test by its content is not added', () => {
  expect(filesOf(['src/a.py', 'tests/test_b.py'], [])).toEqual([]);
  expect(filesOf(['test.js', 'other.js'], ['test.js'])).toEqual(['test.js']);
});
