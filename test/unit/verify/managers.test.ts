// Whether a package manager works in a sandbox, without starting npm if the file says what it is.

import { expect, test } from 'vitest';
import { createManagers } from '../../../server/src/core/verify/managers.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemorySandbox } from '../../helpers/memorySandbox.ts';

const never = new AbortController().signal;
const PLACE = 'sh -c readlink -f "$(command -v "$0")" npm --version';

/** The answer for npm, and the number of times that npm was started. */
async function ask(place: string | null, npmStarts: boolean) {
  let starts = 0;
  const sandbox = createMemorySandbox(createMemoryFiles({}), {
    ...(place === null ? {} : { [PLACE]: () => ({ stdout: `${place}\n` }) }),
    'npm --version': () => {
      starts += 1;
      return { exitCode: npmStarts ? 0 : 1 };
    },
  });
  const works = await createManagers(sandbox)('npm', await sandbox.open(never), never);
  return [works, starts];
}

test('npm itself is not started; anything else in its place is', async () => {
  expect(await ask('/usr/lib/node_modules/npm/bin/npm-cli.js', false)).toEqual([true, 0]);
  expect(await ask('/usr/lib/node_modules/corepack/dist/npm.js', false)).toEqual([false, 1]);
  expect(await ask('/opt/npm', true)).toEqual([true, 1]);
  expect(await ask(null, true)).toEqual([true, 1]);
});
