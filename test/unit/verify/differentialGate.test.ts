// The gate differential in a real sandbox: what its verdict says of a change, and that it leaves nothing behind.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { planDifferential } from '../../../server/src/core/verify/differential/planDifferential.ts';
import type { ProofContext } from '../../../server/src/core/verify/proof.ts';
import { edit, verifying, type Verifying } from './verifying.ts';
import { thoroughTest } from '../../helpers/thorough.ts';

const harness = [process.execPath, join(import.meta.dirname, '../../../dist/harness.js')];

function proofFor({ repository }: Verifying, changes: Partial<ProofContext> = {}): ProofContext {
  return {
    settings: { guardSeconds: 0, guardMutants: 1, guardStrength: 80, differentialSeconds: 60 },
    harness,
    planDifferential: async (edits) => planDifferential(edits, createSourceTree(repository.dir), openProject),
    planMutants: async () => ({ mutants: [], omittedCount: 0, probes: [], schemata: { files: [], switched: [] } }),
    changesBehavior: () => false,
    checksImporters: () => false,
    ...changes,
  };
}

const before =
  'export function limit(options: { limit?: number }): number {\n  return options.limit !== undefined ? options.limit : 10;\n}\n';
const same = before.replace('options.limit !== undefined ? options.limit : 10', 'options.limit ?? 10');
const other = before.replace('options.limit !== undefined ? options.limit : 10', 'options.limit || 10');
const local = before.replace('export function', 'function');
const user = `${before}export const ten = limit({});\n`;
const twice = 'export function twice(n: number): number {\n  return n * 2;\n}\n';
const MINUTES = 60_000;

test('a plan that takes too long is no verdict, and ends nothing else', async () => {
  await using given = await verifying({ 'package.json': '{"type": "module"}', 'src/limit.ts': before });
  const late = async () => {
    throw new SelfwareError('timedOut', 'The job took longer than 120 s and was ended.');
  };
  const { verdicts } = await given.verify([edit('src/limit.ts', before, same)], {
    proof: proofFor(given, { planDifferential: late }),
  });
  expect(verdicts.slice(-2)).toMatchObject([
    { gate: 'differential', outcome: 'unknown', reason: 'The comparison could not be planned in time.' },
    { gate: 'guard' },
  ]);
});

test(
  'equal code passes, other code fails with a call that shows it and a test to keep',
  async () => {
    await using given = await verifying({ 'package.json': '{"type": "module"}', 'src/limit.ts': before });
    const proof = proofFor(given);
    const judge = async (after: string, changes: Partial<ProofContext> = {}) =>
      (await given.verify([edit('src/limit.ts', before, after)], { proof: { ...proof, ...changes } })).verdicts.find(
        ({ gate }) => gate === 'differential',
      );

    expect(await judge(same)).toMatchObject({
      outcome: 'passed',
      reason: expect.stringMatching(/^1 touched function answers as before on \d+ generated inputs\.$/),
      evidence: { functions: 1, same: 1 },
    });
    const refused = await judge(other);
    expect(refused).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^`limit\(\{ limit: (0|NaN) \}\)` returns (0|NaN) before, and with the change it returns 10\.$/,
      ),
    });
    expect(refused?.evidence['test']).toMatch(
      /^import assert from 'node:assert\/strict';\nimport \{ test \} from 'node:test';\nimport \{ limit \} from '\.\/limit\.ts';\n\ntest\("limit answers as it did", async \(\) => \{\n {2}assert\.deepEqual\(limit\(\{ limit: (0|NaN) \}\), (0|NaN)\);\n\}\);\n$/,
    );
    expect(await judge(other, { changesBehavior: () => true })).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringMatching(/^The behaviour differs, and a person has to say whether that is meant: /),
    });
    expect(await judge(`// As asked for.\n${before}`)).toMatchObject({
      outcome: 'passed',
      reason:
        'The code is the same except for comments, types, `const` for variables that nothing writes to, and unused imports of Node modules.',
    });
    expect(await judge(same, { harness: null })).toMatchObject({ outcome: 'unknown' });
    expect(await judge(same, { settings: { ...proof.settings, differentialSeconds: 0 } })).toMatchObject({
      outcome: 'unknown',
      reason: 'Not run: it is switched off (`selfware.verify.differentialSeconds`).',
    });
  },
  5 * MINUTES,
);

test('a comparison that a judgement has cut short, and that reached too little, names --thorough', async () => {
  const rare =
    'export function rare(text: string): number {\n  if (text.length === 123457) {\n    return 1;\n  }\n  return text.length;\n}\n';
  await using given = await verifying({ 'package.json': '{"type": "module"}', 'src/rare.ts': rare });
  const proof = proofFor(given);
  const reasonIf = async (differentialCut: boolean) =>
    (
      await given.verify([edit('src/rare.ts', rare, rare.replace('return 1;', 'return 2;'))], {
        proof: { ...proof, settings: { ...proof.settings, differentialSeconds: 5, differentialCut } },
      })
    ).verdicts.find(({ gate }) => gate === 'differential');
  expect(await reasonIf(true)).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringContaining(
      'the 5 s that a judgement leaves for it (1.5 times the checks in all, or 20 s); `--thorough`',
    ),
  });
  expect((await reasonIf(false))?.reason).not.toContain('--thorough');
});

test(
  'a parameter declared as any is given anything, not only what the code looks for in it',
  async () => {
    const kind =
      "export function kind(value: any): string {\n  if (typeof value === 'string' || typeof value === null) return 'plain';\n  if (value.buffer) return 'bytes';\n  return value.name === 'x' ? 'x' : 'other';\n}\n";
    await using given = await verifying({ 'package.json': '{"type": "module"}', 'src/kind.ts': kind });
    const { verdicts } = await given.verify(
      [edit('src/kind.ts', kind, kind.replace('typeof value === null', 'value === null'))],
      { proof: proofFor(given) },
    );
    expect(verdicts.find(({ gate }) => gate === 'differential')).toMatchObject({
      outcome: 'failed',
      evidence: { call: 'kind(null)' },
    });
  },
  MINUTES,
);

test(
  'the same steps in the same order are proven, also where nothing can be called',
  async () => {
    const nested =
      'import { socket } from "./socket.ts";\n\nsocket.on("data", (text: string) => {\n  if (text) {\n    if (socket.open) {\n      socket.send(text);\n    }\n  }\n});\n';
    const flat =
      'import { socket } from "./socket.ts";\n\nsocket.on("data", (text: string) => {\n  if (!text || !socket.open) return;\n  socket.send(text);\n});\n';
    await using given = await verifying({ 'package.json': '{"type": "module"}', 'src/feed.ts': nested });
    const judge = async (after: string) =>
      (await given.verify([edit('src/feed.ts', nested, after)], { proof: proofFor(given) })).verdicts.find(
        ({ gate }) => gate === 'differential',
      );
    expect(await judge(flat)).toMatchObject({
      outcome: 'passed',
      reason: 'It takes the same steps in the same order: only the way in which ifs and jumps are written has changed.',
      evidence: { restructured: 1 },
    });
    expect(await judge(flat.replace('!text ||', '!text &&'))).toMatchObject({ outcome: 'unknown' });
  },
  5 * MINUTES,
);

thoroughTest(
  'a name that is no longer exported: all else is compared, and who imports it is for the type check and the recipe to say',
  async () => {
    await using given = await verifying(
      {
        'package.json': '{"type": "module"}',
        'tsconfig.json':
          '{"compilerOptions": {"strict": true, "noEmit": true, "lib": ["es2022"], "skipLibCheck": true, "module": "nodenext"}, "include": ["src"]}',
        'src/limit.ts': user,
        'src/twice.ts': twice,
      },
      ['typescript'],
    );
    const judge = async (after: string, looked: boolean) =>
      (
        await given.verify([edit('src/limit.ts', user, after)], {
          proof: proofFor(given, { checksImporters: () => looked }),
        })
      ).verdicts.find(({ gate }) => gate === 'differential');
    const gone = user.replace(before, local);

    expect(await judge(gone, true)).toMatchObject({
      outcome: 'passed',
      reason: '`limit` is no longer exported, nothing imports that, and all other code is the same.',
      evidence: { unexported: '`limit`' },
    });
    expect(await judge(gone, false)).toMatchObject({
      outcome: 'unknown',
      reason: '`limit` is no longer exported; whether other code imports that was not checked.',
    });
    expect(await judge(gone.replace(': 10', ': 11'), true)).not.toMatchObject({ outcome: 'passed' });
    // Beside another change it is a gap.
    const both = await given.verify(
      [edit('src/limit.ts', user, gone), edit('src/twice.ts', twice, twice.replace('n * 2', '2 * n'))],
      { proof: proofFor(given, { checksImporters: () => true }) },
    );
    expect(both.verdicts.find(({ gate }) => gate === 'differential')).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringContaining('`limit` is no longer exported.'),
    });
  },
  5 * MINUTES,
);

test('a change of tests or of texts for people leaves nothing to compare, and the verdict says so', async () => {
  const [script, python] = ["test('adds', () => {});\n", 'def test_a():\n    pass\n'];
  await using given = await verifying({
    'package.json': '{"type": "module"}',
    'src/twice.ts': twice,
    'test/a.test.ts': script,
    'tests/test_a.py': python,
    'README.md': 'A\n',
  });
  const judge = async (...edits: readonly (readonly [path: string, before: string])[]) => {
    const added = edits.map(([path, text]) => edit(path, text, text + text.replaceAll('a', 'b')));
    const { verdicts } = await given.verify(added, { proof: proofFor(given) });
    const found = verdicts.find(({ gate }) => gate === 'differential');
    return `${found?.outcome}: ${found?.reason}`;
  };
  const onlyTests =
    'unknown: Only tests have changed: the code that they test is the same, so there is nothing to compare.';
  expect(await judge(['tests/test_a.py', python])).toBe(onlyTests);
  expect(await judge(['test/a.test.ts', script], ['README.md', 'A\n'])).toBe(onlyTests);
  expect(await judge(['README.md', 'A\n'])).toBe(
    'unknown: Only documentation has changed, so there is nothing to compare.',
  );
});
