// Tests of what callbacks receive: with the spies of the file, or with a list.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import type { Case } from '../../../server/src/core/propose/characterization/caseText.ts';
import { createGuardingTest } from '../../../server/src/core/propose/characterization/guardingTest.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';

const EMITTER = 'src/emitter.ts';
const made = { path: EMITTER, name: 'createEmitter', exportedAs: 'createEmitter' };

function caseOf(value: string, ...texts: readonly string[]): Case {
  return {
    given: [],
    steps: [
      { before: 'const emitter = ', imported: made, after: '()' },
      ...texts.map((before) => ({ before, imported: null, after: '' })),
    ],
    recorders: ['onSave'],
    observed: 'onSave',
    result: { value, promised: false },
  };
}

/** The tests that are added to a file with this head, which ends in one test of this body. */
function addedTo(
  path: string,
  head: string,
  cases: readonly Case[],
  runner: string,
  files: Readonly<Record<string, string>> = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-callbacks-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const text = `${head}\ntest('makes', () => {\n  expect(createEmitter()).toBe(undefined);\n});\n`;
  const all = { [EMITTER]: 'export function createEmitter() {}\n', [path]: text, ...files };
  for (const [file, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  const guarded = { ...made, qualifiedName: 'createEmitter', cases };
  const result = createGuardingTest(guarded, { tests: [path], runner }, createSourceTree(root), openProject);
  return 'refused' in result ? result.refused : result.added;
}

test('a file with spies of Vitest gets another one', () => {
  const head = `import { expect, test, vi } from 'vitest';\nimport { createEmitter } from '../src/emitter.ts';`;
  const cases = [
    caseOf('[["draft", 1]]', 'emitter.on("save", onSave)', 'await emitter.emit("save", "draft", 1)'),
    caseOf('[]', 'const off = emitter.on("save", onSave)', 'off()', 'emitter.emit("save")'),
  ];
  expect(addedTo('test/emitter.test.ts', head, cases, 'vitest')).toBe(`// Records what createEmitter does now.
test('emit calls onSave with "draft" and 1 after on', async () => {
  const onSave = vi.fn();
  const emitter = createEmitter();
  emitter.on('save', onSave);
  await emitter.emit('save', 'draft', 1);
  expect(onSave.mock.calls).toEqual([['draft', 1]]);
});

test('emit does not call onSave after on and off', () => {
  const onSave = vi.fn();
  const emitter = createEmitter();
  const off = emitter.on('save', onSave);
  off();
  emitter.emit('save');
  expect(onSave).not.toHaveBeenCalled();
});
`);
});

test('a file without spies gets a list, with types if it has any', () => {
  const head =
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\n" +
    "import { createEmitter } from '../src/emitter.ts';";
  const cases = [caseOf('[[1], [2]]', 'emitter.on("save", onSave)', 'emitter.emitAll("save")')];
  const lines = (types: readonly [string, string]) => `// Records what createEmitter does now.
test('emitAll calls onSave twice after on', () => {
  const calls${types[0]} = [];
  const onSave = (...args${types[1]}) => {
    calls.push(args);
  };
  const emitter = createEmitter();
  emitter.on('save', onSave);
  emitter.emitAll('save');
  assert.deepEqual(calls, [[1], [2]]);
});
`;
  expect(addedTo('test/emitter.test.ts', head, cases, 'node')).toBe(lines([': unknown[][]', ': unknown[]']));
  expect(addedTo('test/emitter.test.js', head, cases, 'node')).toBe(lines(['', '']));
});

test('the spies of Sinon are those that the file imports', () => {
  const head = `import { expect } from 'chai';\nimport { spy } from 'sinon';\nimport { createEmitter } from '../src/emitter.ts';`;
  const added = addedTo('test/emitter.test.ts', head, [caseOf('[["draft"]]', 'emitter.emit(onSave)')], 'mocha');
  expect(added).toContain('  const onSave = spy();\n');
  expect(added).toContain("  expect(onSave.args).to.deep.equal([['draft']]);\n");
});

/** The new test file for another module, given an example with this head and path. */
function newFileBeside(path: string, head: string, cases: readonly Case[], runner: string) {
  const example = `${head}\nimport { one } from '../src/one.ts';\n\ntest('one', () => {\n  expect(one()).toBe(1);\n});\n`;
  return addedTo(path, '', cases, runner, { 'src/one.ts': 'export const one = () => 1;\n', [path]: example });
}

test.each([
  ["import { expect, test, vi } from 'vitest';", 'vitest', 'vi'],
  ["import { expect, jest, test } from '@jest/globals';", 'jest', 'jest'],
])('a new file imports the spies of its runner if it reads their calls: %s', (head, runner, name) => {
  const observing = caseOf('[["draft"]]', 'emitter.emit(onSave)');
  const made = newFileBeside('test/one.test.ts', head, [observing], runner);
  expect(made.split('\n')[0]).toBe(head);
  expect(made).toContain(`  const onSave = ${name}.fn();\n`);
  const { observed: _, ...plain } = observing;
  expect(newFileBeside('test/one.test.ts', head, [plain], runner)).not.toMatch(new RegExp(`[ .]${name}[., ]`));
});

test('a new file imports no library for spies, and keeps the calls in a list', () => {
  const head = `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport sinon from 'sinon';`;
  const made = newFileBeside('test/one.test.ts', head, [caseOf('[["draft"]]', 'emitter.emit(onSave)')], 'node');
  expect(made).not.toContain('sinon');
  expect(made).toContain('  assert.deepEqual(calls, [["draft"]]);\n'.replaceAll('"', "'"));
});
