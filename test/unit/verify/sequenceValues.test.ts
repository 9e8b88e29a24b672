// Values in the steps of tests that cannot be written as code, and names that such steps need.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';

const BAG = 'export class Bag {\n  on(given: any): any { return given; }\n  get size(): number { return 0; }\n}\n';

/** The subjects that this test uses in steps. */
function usedIn(lines: string, { from = '../src/bag', packageJson = '{}' } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-sequence-values-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const test = `import { Bag } from '${from}';\nconst bag = new Bag();\nbag.size;\n${lines}\n`;
  const files = { 'package.json': packageJson, 'src/bag.ts': BAG, 'test/code.test.ts': test };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { subjects } = planSearch(
    ['src/bag.ts'],
    { 'src/bag.ts': ['test/code.test.ts'] },
    createSourceTree(root),
    openProject,
  );
  return subjects.filter(({ used }) => used);
}

test.each([
  ['a spy', 'const constant = vi.fn();'],
  ['an object with a spy', 'const constant = { onChange: vi.fn() };'],
  ['a number that JSON has no form for', 'const constant = 1e999;'],
  ['a list with minus zero', 'const constant = [-0];'],
])('a function that returns %s is no argument of a step', (_, declaration) => {
  const [subject] = usedIn(`${declaration}\nbag.on(() => constant);`);
  expect(subject!.used!.uses.map(({ name }) => name)).toEqual(['size']);
});

test('a function that returns plain values is one', () => {
  const [subject] = usedIn("const constant = { a: [1.5, 'b', null], of: [] };\nbag.on(() => constant);");
  expect(subject!.sequences!.flatMap(({ steps }) => steps.map(({ given }) => given))).toContainEqual([
    { $: 'code', text: '() => ({ a: [1.5, "b", null], of: [] })' },
  ]);
});

test('a recorder has no name that the test needs for something else', () => {
  const recorder = (lines: string) => usedIn(lines)[0]!.used!.recorder;
  expect(recorder('const onSave = vi.fn();\nbag.on(onSave);')).toBe('onSave');
  expect(recorder('const calls = vi.fn();\nbag.on(calls);')).toBe('listener');
  expect(recorder('const off = bag.on(() => {});\noff();\n{ const off = vi.fn(); bag.on(off); }')).toBe('listener');
  expect(recorder('const listener = bag.on(() => {});\nlistener();')).toBe('callback');
});

test('the name of the package is not the name of its author', () => {
  const packageJson = '{\n  "author": {\n    "name": "someone"\n  },\n  "name": "bags"\n}';
  expect(usedIn('', { from: 'bags/bag', packageJson })).toHaveLength(1);
  expect(usedIn('', { from: 'someone/bag', packageJson })).toEqual([]);
  expect(usedIn('', { from: 'bags/bag', packageJson: 'none' })).toEqual([]);
});
