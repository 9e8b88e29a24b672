// `selfware propose`: a requested change is filed, verified and left for a decision; if it cannot be made, the answer
// says why.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPeer } from '../adapters/models/peer.ts';
import { createCommandLine } from '../helpers/commandLine.ts';
import { createTemporaryRepository } from '../helpers/temporaryRepository.ts';
import { manifestOf } from '../helpers/manifest.ts';
import { thoroughTest } from '../helpers/thorough.ts';

const SUM = `import { join } from 'node:path';

/** Adds what is given, from left to right. */
export function sum(...values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
`;

test('edits by search and replace become a proposal, and the tree stays as it is', async () => {
  const repository = await createTemporaryRepository({
    'package.json': manifestOf('sums', { main: 'src/index.ts' }),
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

thoroughTest(
  'several answers to a question are asked for until --max-cost is reached; without a price, none is',
  async () => {
    // The server counts 7 tokens for each question and 5 for each answer, which turns the one `a` of a.ts into a `b`.
    await using peer = await createPeer('openai', ['fine']);
    const repository = await createTemporaryRepository({ 'a.ts': "export const one = 'a';\n" });
    const selfware = await createCommandLine(repository.dir);
    const prices = (value: unknown) =>
      writeFile(join(selfware.home, 'settings.json'), JSON.stringify({ 'models.prices': value }));
    const ask = async (...more: readonly string[]) => {
      const args = ['propose', '--request', '-', '--no-verify', '--json', ...more];
      return selfware.run(args, { input: '{"request": "Let one in a.ts be b"}' });
    };
    const proposer = ['--proposer', `openai-compatible:m@${peer.url}`];
    try {
      await prices({ 'openai-compatible:*': { input: 0, output: 10_000 } });
      const { code, stdout, stderr } = await ask(...proposer, '--samples', '3', '--max-cost', '0.105');
      expect(code, stderr).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        author: 'model',
        status: 'proposed',
        edits: [{ path: 'a.ts', after: "export const one = 'b';\n" }],
        refusals: [],
        cost: { input: 14, output: 10, models: ['peer-1'] },
      });
      // Each answer costs 0.05, so that the rest is too little for the longest third one. It also limits the length.
      const longest = peer.requests.map(({ body }) => (JSON.parse(body) as { readonly max_tokens: number }).max_tokens);
      expect(longest).toEqual([10, 5]);

      await prices({});
      const unpriced = await ask(...proposer, '--again', '--samples', '2', '--max-cost', '1');
      expect([unpriced.code, unpriced.stderr]).toEqual([2, expect.stringContaining('was not asked.')]);
      expect(JSON.parse(unpriced.stdout)).toMatchObject({ refusals: [expect.stringContaining('models.prices')] });
      expect(peer.requests).toHaveLength(2);

      const alone = await ask('--samples', '2');
      expect([alone.code, alone.stderr]).toEqual([
        2,
        expect.stringContaining('--samples, --max-cost and --research go with'),
      ]);
      for (const [option, value] of [
        ['--samples', '0'],
        ['--max-cost', 'much'],
      ] as const)
        expect((await ask(...proposer, option, value)).stderr).toContain(`${option} takes`);
    } finally {
      await selfware.dispose();
      await repository.dispose();
    }
  },
);
