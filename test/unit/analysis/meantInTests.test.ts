// Locals that nothing reads and that are meant: in tests, in benchmarks, as directives of JSX. Beside each, the same
// where it is left over.

import { expect, test } from 'vitest';
import { analyseWithTree } from './analyseCase.ts';

async function unusedIn(path: string, text: string): Promise<string[]> {
  const { opportunities } = await analyseWithTree(path, text);
  return opportunities
    .filter(({ rule }) => rule.startsWith('unused-'))
    .map(({ evidence }) => String(evidence['names']));
}

const within = (lines: string, about = `test('a', async (data) => {`) =>
  `declare const em: any;\ndeclare function createSignal(value: number): [() => number, (value: number) => void];\n${about}\n${lines}\n});\n`;

test.each<[string, string, string[]]>([
  ['a row of set-up lines', `const book1 = em.create('a');\nconst book2 = await em.create('b');\nem.check(book1);`, []],
  ['a row in one statement', `const a = em.create('a'), b = em.create('b');\nem.check(a);`, []],
  [
    'a line that makes something else',
    `const book1 = em.create('a');\nconst shop = em.find('b');\nem.check(book1);`,
    ['shop'],
  ],
  [
    'lines apart',
    `const book1 = em.create('a');\nem.flush();\nconst book2 = em.create('b');\nem.check(book1);`,
    ['book2'],
  ],
  ['a pair that is shown whole', `const [value, setValue] = createSignal(1);\nem.check(value);`, []],
  ['a part of a record', `const { value, other } = em.all();\nem.check(value);`, ['other']],
  ['what a parameter is asked for', `const b = data.key.inner;\nem.check(data);`, []],
  ['what something else is asked for', `const b = em.key.inner;\nem.check(data);`, ['b']],
  [
    'a function for the compiler',
    `// Type-level test: the name is a text.\nfunction named(x: { name: string }) {\n  const _name: string = x.name;\n}\nem.check();`,
    [],
  ],
  [
    'a function by its name',
    `function typeTest(x: { name: string }) {\n  const _name: string = x.name;\n}\nem.check();`,
    [],
  ],
  [
    'a function with typed parameters',
    `function finish(x: { done: boolean }) {\n  x.done = true;\n}\nconst start = (x: { done: boolean }) => {\n  x.done = false;\n};`,
    [],
  ],
  ['a function that is left over', `function helper() {\n  return 1;\n}\nem.check();`, ['helper']],
])('of a test: %s', async (_, lines, found) => {
  expect(await unusedIn('test/a.test.ts', within(lines))).toEqual(found);
});

test.each<[string, string, string[]]>([
  [`test.${'skip'}('a', async () => {`, `const results = await em.run();`, []],
  [`${'xit'}('a', async () => {`, `const results = await em.run();`, []],
  [`test('a', async () => {`, `const results = await em.run();`, ['results']],
])('%s', async (about, lines, found) => {
  expect(await unusedIn('test/a.test.ts', within(lines, about))).toEqual(found);
});

test('a helper of a suite that no test calls is left over', async () => {
  const helper = `function finish(x: { done: boolean }) {\n  x.done = true;\n}`;
  expect(await unusedIn('test/a.test.ts', within(helper, `describe('a', () => {`))).toEqual(['finish']);
});

test('outside of tests all that is left over is told', async () => {
  const text = `declare const em: any;\nexport function run(data: any) {\n  const book1 = em.create('a');\n  const book2 = em.create('b');\n  const [value, setValue] = em.signal(1);\n  const b = data.key;\n  return [book1, value];\n}\n`;
  expect(await unusedIn('src/run.ts', text)).toEqual(['book2', 'setValue', 'b']);
});

test.each(['bench/prototypes/queue.js', 'packages/core/benchmarks/run.js', 'src/list.bench.ts'])(
  '%s: made to be measured',
  async (path) => {
    expect(await unusedIn(path, 'export const run = () => 1;\nfunction untrack() {\n  return 2;\n}\n')).toEqual([]);
  },
);

test('a class with a decorator is known to whoever decorates', async () => {
  const text =
    'declare function Entity(): (of: unknown) => void;\n@Entity()\nclass Employee {}\nclass Other {}\nexport const a = 1;\n';
  expect(await unusedIn('src/model.ts', text)).toEqual(['Other']);
});

test('one of several variables whose value may have effects stays', async () => {
  expect(
    await unusedIn(
      'src/graph.ts',
      'declare function memo(): number;\nexport function run() {\n  var a = memo(), b = memo();\n  var c = 1, d = 2;\n  return a + c;\n}\n',
    ),
  ).toEqual(['d']);
});

test('a directive of JSX is a use', async () => {
  const text = `import { clickOutside } from './directives';\nimport { keyed } from './directives';\nexport function Menu() {\n  const getRef = (of: Element) => of;\n  const other = (of: Element) => of;\n  return <div use:getRef use:clickOutside={1} on:other={2} />;\n}\n`;
  expect(await unusedIn('src/menu.tsx', text)).toEqual(['keyed', 'other']);
});
