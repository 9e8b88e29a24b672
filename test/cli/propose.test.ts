// `selfware propose`: a requested change is filed, verified and left for a decision; if it cannot be made, the answer
// says why.

import { expect, test } from 'vitest';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';

const SUM = `import { join } from 'node:path';

/** Adds what is given, from left to right. */
export function sum(...values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
`;

test('edits by search and replace become a proposal, and the tree stays as it is', async () => {
  const repository = await createTemporaryRepository({
    'package.json':
      '{ "name": "sums", "private": true, "type": "module", "main": "src/index.ts", "scripts": { "test": "node --test" } }\n',
    'src/index.ts': "export { sum } from './sum.ts';\n",
    'src/sum.ts': SUM,
    'test/sum.test.js':
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.ts';\n\ntest('adds', () => assert.equal(sum(1, 2, 3), 6));\n",
  });
  const selfware = await createCommandLine(repository.dir);
  try {
    const ask = (request: unknown) =>
      selfware.run(['propose', '--request', '-', '--json'], { input: JSON.stringify(request) });
    const good = await ask({
      description: 'Drop what nobody uses',
      edits: [{ file: 'src/sum.ts', search: "import { join } from 'node:path';\n\n", replace: '' }],
    });
    expect(JSON.parse(good.stdout)).toMatchObject({
      title: 'The agent says: “Drop what nobody uses”',
      status: 'verified',
      recipe: 'brought',
      // No terminal, so nobody knows that it is a person.
      author: 'agent',
    });
    expect(good.code).toBe(1);
    expect(await repository.read('src/sum.ts')).toBe(SUM);

    const nowhere = await ask({ description: 'x', edits: [{ file: 'src/sum.ts', search: 'product', replace: '' }] });
    expect([nowhere.code, nowhere.stdout, nowhere.stderr]).toEqual([2, '', expect.stringContaining('src/sum.ts')]);
    const guarded = await ask({
      description: 'x',
      edits: [{ file: 'package.json', search: 'sums', replace: 'products' }],
    });
    expect([guarded.code, guarded.stderr]).toEqual([2, expect.stringContaining('protected')]);
  } finally {
    await selfware.dispose();
    await repository.dispose();
  }
});
