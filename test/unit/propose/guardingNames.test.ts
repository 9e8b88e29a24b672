// Tests that record what a function does name it as the test file imports it.

import { expect, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { createGuardingTest } from '../../../server/src/core/propose/characterization/guardingTest.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

/** The test file with a test of the default export of `src/clamp.ts`, which an index exports as `exportedName`. */
async function addTestOf(exportedName: string): Promise<{ readonly before: string; readonly after: string | null }> {
  const before = `import { expect, test } from 'vitest';
import { ${exportedName} } from '../src/index.js';

test('small values', () => {
  expect(${exportedName}(1)).toBe(1);
});
`;
  const repository = await createTemporaryRepository(
    {
      'src/clamp.ts': 'export default (value: number) => Math.min(value, 10);\n',
      'src/index.ts': `export { default as ${exportedName} } from './clamp';\n`,
      'test/clamp.test.ts': before,
    },
    { git: false },
  );
  try {
    const cases = [{ given: ['11'], result: { value: '10', promised: false } }];
    const guardingTest = createGuardingTest(
      { path: 'src/clamp.ts', name: 'clamp', qualifiedName: 'clamp', exportedAs: 'default', cases },
      { tests: ['test/clamp.test.ts'], runner: 'vitest' },
      createSourceTree(repository.dir),
      openProject,
    );
    return { before, after: 'refused' in guardingTest ? guardingTest.refused : guardingTest.edit.after };
  } finally {
    await repository.dispose();
  }
}

test.each([
  ['numericClamp', 'numericClamp'],
  // This name says less than the file.
  ['c', 'clamp'],
])('a default export that an index exports as %s is called %s', async (exportedName, title) => {
  const { before, after } = await addTestOf(exportedName);
  expect(after).toBe(`${before}
// Records what ${title} does now.
test('${title} returns 10 for 11', () => {
  expect(${exportedName}(11)).toBe(10);
});
`);
});
