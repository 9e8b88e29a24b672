// What tests do with one object step by step, read without running them, and which exports it concerns.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';
import { allowedSteps } from '../../../server/src/core/verify/sequences/allowedSteps.ts';

const BAG = `
export class Bag {
  #items: string[] = [];
  add(item: string): void { this.#items.push(item); }
  has(item: string): boolean { return this.#items.includes(item); }
  get size(): number { return this.#items.length; }
}
`;
const ROUTER = `
export interface Router { routes: Record<string, number> }
export function createRouter(): Router { return { routes: {} }; }
export function addRoute(router: Router, path: string, to: number): void { router.routes[path] = to; }
export function findRoute(router: Router, path: string): number | undefined { return router.routes[path]; }
`;

function treeOf(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'selfware-sequences-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const config = '{ "compilerOptions": { "strict": true, "target": "esnext" } }';
  for (const [path, text] of Object.entries({ 'tsconfig.json': config, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return createSourceTree(root);
}

/** The steps of each subject as texts: `add "a"`. */
function stepsIn(path: string, files: Readonly<Record<string, string>>, testFile = 'test/code.test.ts') {
  const { subjects } = planSearch([path], { [path]: [testFile] }, treeOf(files), openProject);
  return subjects.flatMap(({ name, used, sequences = [] }) =>
    used
      ? [
          {
            name,
            variable: used.variable,
            sequences: sequences.map(({ steps }) =>
              steps.map(({ use, given }) =>
                [used.uses[use]!.name, ...given.map((one) => JSON.stringify(one))].join(' '),
              ),
            ),
          },
        ]
      : [],
  );
}

test('a class is used as its tests use it, with each row of a table and after what runs before each test', () => {
  const found = stepsIn('src/bag.ts', {
    'src/bag.ts': BAG,
    'test/code.test.ts': `
import { Bag } from '../src/bag';
describe('Bag', () => {
  let bag: Bag;
  beforeEach(() => { bag = new Bag(); bag.add('first'); });
  it.each([['a', true], ['b', false]])('%s', (item, isIn) => { bag.add(item); expect(bag.has(item)).toBe(isIn); });
  it('is random', () => { const other = new Bag(); other.add(String(Math.random())); expect(other.size).toBe(1); });
});`,
  });
  expect(found).toEqual([
    {
      name: 'Bag',
      variable: 'bag',
      sequences: [
        ['add "first"'],
        ['add "first"', 'add "a"', 'has "a"'],
        ['add "first"', 'add "b"', 'has "b"'],
        ['size'],
      ],
    },
  ]);
});

test('functions that take what another one makes are used with it, also through helpers of the tests', () => {
  const found = stepsIn('src/router.ts', {
    'src/router.ts': ROUTER,
    'src/index.ts': "export * from './router';",
    'test/helper.test.ts': `
import { createRouter as create, addRoute } from '../src';
export function routerOf(paths: string[] | Record<string, number>) {
  const router = create();
  if (Array.isArray(paths)) for (const path of paths) addRoute(router, path, path.length);
  else for (const [path, to] of Object.entries(paths)) addRoute(router, path, to);
  return router;
}`,
    'test/code.test.ts': `
import { findRoute } from '../src';
import { routerOf } from './helper.test';
test('finds', () => {
  expect(findRoute(routerOf(['/a', '/bc']), '/a')).toBe(2);
  const made = routerOf({ '/x': 7 });
  expect(findRoute(made, \`/\${'x'}\`)).toBe(7);
});`,
  });
  const sequences = [
    ['addRoute "/a" 2', 'addRoute "/bc" 3', 'findRoute "/a"'],
    ['addRoute "/x" 7', 'findRoute "/x"'],
  ];
  expect(found).toEqual(
    ['createRouter', 'addRoute', 'findRoute'].map((name) => ({ name, variable: 'router', sequences })),
  );
});

test('an object that unknown values make, and private members, are left out', () => {
  const found = stepsIn('src/bag.ts', {
    'src/bag.ts': BAG.replace(
      '#items: string[] = [];',
      '#items: string[] = []; _secret = 1; constructor(from?: any) {}',
    ),
    'test/code.test.ts': `
import { Bag } from '../src/bag';
const unknown = new Bag(Date.now()); unknown.has('a');
const bag = new Bag(); bag._secret; bag.add(unknown);`,
  });
  expect(found).toEqual([]);
});

test('steps that the types refuse are refused', () => {
  const bag = { path: 'src/bag.ts', name: 'Bag', exportedAs: 'Bag' };
  const made = { before: 'const bag = new ', imported: bag, after: '()' };
  const step = (before: string) => ({ before, imported: null, after: '' });
  expect(
    allowedSteps(
      'src/bag.ts',
      [
        [made, step('bag.add("a")'), step('bag.has("a")')],
        [made, step('bag.add(1)'), step('bag.has("a")')],
        [made, step('bag.hidden()')],
      ],
      treeOf({ 'src/bag.ts': BAG }),
      openProject,
    ),
  ).toEqual([true, false, false]);
});
