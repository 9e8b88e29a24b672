// What the repository's own linter refuses once is told with every later question, with the real ESLint.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import { sandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { manifestOf } from '../../helpers/manifest.ts';
import { createSessionWorld } from '../../helpers/memorySessionPorts.ts';

const ESLINT = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'eslint');
const operation = { signal: new AbortController().signal };
const SUM = '/** The sum of two. */\nexport function sum(one, other) {\n  return one + other;\n}\n';
const FILES = {
  '.gitignore': 'node_modules\n',
  'package.json': manifestOf('linted'),
  'eslint.config.mjs': "export default [{ rules: { 'no-var': 'error', 'no-undef-init': 'error' } }];\n",
  'src/sum.js': SUM,
  'src/greet.js': '/** Greets. */\nexport function greet(name) {\n  return name;\n}\n',
  'src/sum.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum(1, 2), 3));\n",
};

test('a rule of the linter that refused one change is told to whoever works on anything else', async () => {
  await using given = await sandboxOf(FILES);
  await mkdir(join(given.repository.dir, 'node_modules', '.bin'), { recursive: true });
  await symlink(ESLINT, join(given.repository.dir, 'node_modules', 'eslint'));
  await symlink('../eslint/bin/eslint.js', join(given.repository.dir, 'node_modules', '.bin', 'eslint'));
  await using world = await createSessionWorld(FILES);
  const asked: string[] = [];
  const scripted: Proposer = {
    name: 'scripted',
    destination: null,
    async ask({ messages }) {
      asked.push(messages.at(-1)!.content);
      const body = '  var total = undefined;\n  total = one + other;\n  return total;';
      const edits = [{ file: 'src/sum.js', search: '  return one + other;', replace: body }];
      return { text: JSON.stringify({ description: 'A name', edits }), finished: true, model: 'm', usage: null };
    },
  };
  const session = await world.session({
    settings: { 'verify.differentialSeconds': 0, 'verify.guardSeconds': 0 },
    change: () => ({ sandbox: given.sandbox, proposers: { open: () => scripted, list: async () => [] } }),
  });
  const ask = (words: string) => session.questions.ask({ ...operation, task: { words }, proposer: 'scripted' });
  const { proposal } = await ask('Name the sum in src/sum.js');
  const verified = await session.verification.verify(proposal!.id, operation);
  expect(verified.verdicts.find(({ gate }) => gate === 'lint')).toMatchObject({ outcome: 'failed' });

  const lesson = (await session.learned.lessons()).find(({ finding }) => finding === 'no-var');
  expect(lesson).toMatchObject({ kind: 'refused', gate: 'lint', finding: 'no-var', count: 1, by: null });
  expect(lesson?.text).toBe(
    'The linter of this repository refused 1 change by its rule no-var, last for src/sum.js: “Unexpected var, use let or const instead.”',
  );
  const other = 'Let src/greet.js say hello in French';
  await ask(other);
  expect(asked[1]).toContain(`- ${lesson!.text}`);

  await session.learned.forget(lesson!.id);
  await ask(other);
  expect(asked[2]).not.toContain('its rule no-var');
  // What the same change has taught about another rule stays.
  expect(asked[2]).toContain('its rule no-undef-init');
  const second = (await session.learned.lessons()).find(({ finding }) => finding === 'no-undef-init');
  await session.learned.forget(second!.id);
  const forgotten = await session.ledger.query({ types: ['lessonForgotten'] });
  expect(forgotten.map(({ data }) => data)).toMatchObject([
    { finding: 'no-var', proposals: [proposal!.id], stillTeaching: [proposal!.id] },
    { finding: 'no-undef-init', proposals: [proposal!.id], stillTeaching: [] },
  ]);
});
