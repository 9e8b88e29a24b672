// What tests do with one object step by step, read without running them, and which exports it concerns.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSourceTree } from '../../../server/src/adapters/files/sourceTree.ts';
import { openProject } from '../../../server/src/core/propose/extraction/project.ts';
import { planSearch } from '../../../server/src/core/verify/counterexamples/planSearch.ts';
import { createLoadFile } from '../../../server/src/core/verify/counterexamples/imports.ts';
import { computeStepCost } from '../../../server/src/adapters/harness/distinguishing/steps.ts';
import { checkSteps } from '../../../server/src/core/verify/sequences/allowedSteps.ts';
import { findObservedObjects } from '../../../server/src/core/verify/sequences/readTest.ts';
import { createPart } from '../../helpers/createPart.ts';

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

function treeOf(files: Readonly<Record<string, string>>, options = '"target": "esnext"') {
  const root = mkdtempSync(join(tmpdir(), 'selfware-sequences-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const config = `{ "compilerOptions": { "strict": true, ${options} } }`;
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
    checkSteps(
      'src/bag.ts',
      [
        { steps: [made, step('bag.add("a")'), step('bag.has("a")')] },
        { steps: [made, step('bag.add(1)'), step('bag.has("a")')] },
        { steps: [made, step('bag.hidden()')] },
      ],
      treeOf({ 'src/bag.ts': BAG }),
      openProject,
    ),
  ).toEqual([true, false, false]);
});

test('steps may pass the recorders of their test', () => {
  const imported = { path: 'src/bag.ts', name: 'Bag', exportedAs: 'Bag' };
  const steps = [
    { before: 'const bag = new ', imported, after: '()' },
    { before: 'bag.on("add", onAdd)', imported: null, after: '' },
  ];
  const text = BAG.replace('get size', 'on(name: string, listener: (item: string) => void): void {}\n  get size');
  const tree = treeOf({ 'src/bag.ts': text });
  const recorders = ['onAdd'];
  expect(checkSteps('src/bag.ts', [{ steps, recorders }, { steps }], tree, openProject)).toEqual([true, false]);
});

/** What the search leaves out, with the reason. */
function leftOutIn(path: string, files: Readonly<Record<string, string>>) {
  const { leftOut } = planSearch([path], { [path]: ['test/code.test.ts'] }, treeOf(files), openProject);
  return leftOut.map(({ name, reason }) => `${name}: ${reason}`).filter((one) => /\bsteps?\b/.test(one));
}

test('what makes the object is left out if its code reaches outside, also in another file', () => {
  const files = {
    'src/bag.ts': BAG.replace('item: string): void {', 'item: string): void { stamp();').replace(
      'export',
      "import { stamp } from './stamp';\nexport",
    ),
    'src/stamp.ts': "export function stamp(): void { void fetch('/stamp'); }",
    'test/code.test.ts': "import { Bag } from '../src/bag';\nconst bag = new Bag(); bag.add('a'); bag.has('a');",
  };
  expect(stepsIn('src/bag.ts', files)).toEqual([]);
  expect(leftOutIn('src/bag.ts', files)).toEqual([
    'Bag: It is not used in steps. It uses `fetch`, which reaches outside or is shared.',
  ]);
  // Whether a call waits or reads the clock is seen when it is made.
  const waiting = { ...files, 'src/stamp.ts': 'export function stamp(): void { setTimeout(Date.now, 1); }' };
  expect(stepsIn('src/bag.ts', waiting)).toHaveLength(1);
});

test('uses that reach outside or are deprecated are left out, and the others stay', () => {
  const files = {
    'src/router.ts': `${ROUTER}
export function later(router: Router): void { requestAnimationFrame(() => addRoute(router, '/later', 1)); }
/** @deprecated */
export function oldRoute(router: Router): number { return router.routes['/old'] ?? 0; }`,
    'test/code.test.ts': `
import { createRouter, addRoute, findRoute, later, oldRoute } from '../src/router';
const router = createRouter(); later(router); oldRoute(router);
addRoute(router, '/a', 1); findRoute(router, '/a');`,
  };
  const found = stepsIn('src/router.ts', files);
  expect(found.map(({ name }) => name)).toEqual(['createRouter', 'addRoute', 'findRoute']);
  expect(found[0]!.sequences).toEqual([['addRoute "/a" 1', 'findRoute "/a"']]);
  expect(leftOutIn('src/router.ts', files)).toEqual([
    'later: It is no step with what createRouter makes. It uses `requestAnimationFrame`, which reaches outside or is shared.',
    'oldRoute: It is no step with what createRouter makes. It is deprecated.',
  ]);
});

test('one name for two exports is used for one of them only, and an export that two modules offer is one use', () => {
  const files = {
    'src/router.ts': ROUTER,
    'src/index.ts': "export * from './router';",
    'src/other.ts': 'export function findRoute(router: unknown): number { return router ? 1 : 0; }',
    'test/code.test.ts': `
import { createRouter, addRoute } from '../src';
import { addRoute as add, findRoute } from '../src/router';
import { findRoute as find } from '../src/other';
const router = createRouter(); addRoute(router, '/a', 1); add(router, '/b', 2); findRoute(router, '/a'); find(router);`,
  };
  const [first] = stepsIn('src/router.ts', files);
  expect(first!.sequences).toEqual([['addRoute "/a" 1', 'addRoute "/b" 2', 'findRoute "/a"']]);
  expect(stepsIn('src/other.ts', files)).toEqual([]);
  expect(leftOutIn('src/router.ts', files)).toEqual([
    'findRoute: It is no step with what createRouter makes. Another export that the steps need has its name.',
  ]);
});

test('steps are refused if one name stands for two exports, or if an import has an error', () => {
  const at = (path: string, name = 'Bag') => ({ path, name, exportedAs: name });
  const made = (path: string, name?: string) => ({ before: 'const bag = new ', imported: at(path, name), after: '()' });
  const also = (path: string) => ({ before: '', imported: at(path), after: '' });
  const files = { 'src/bag.ts': BAG, 'src/other.ts': BAG };
  const allowed = (lists: Parameters<typeof checkSteps>[1]) =>
    checkSteps('src/bag.ts', lists, treeOf(files), openProject);
  expect(
    allowed([
      { steps: [made('src/bag.ts'), also('src/bag.ts')] },
      { steps: [made('src/bag.ts'), also('src/other.ts')] },
      { steps: [made('src/bag.ts', 'Missing')] },
    ]),
  ).toEqual([true, false, false]);
});

test('steps are checked where imports need an ending', () => {
  const step = { before: 'bag.add("a")', imported: null, after: '' };
  const wrong = { before: 'bag.add(1)', imported: null, after: '' };
  for (const path of ['src/bag.ts', 'src/bag.mts', 'src/bag.cts']) {
    const imported = { path, name: 'Bag', exportedAs: 'Bag' };
    const made = { before: 'const bag = new ', imported, after: '()' };
    const files = { [path]: BAG, 'package.json': '{ "type": "module" }' };
    const tree = treeOf(files, '"module": "nodenext", "target": "esnext"');
    const lists = [{ steps: [made, step] }, { steps: [made, wrong] }];
    expect([path, ...checkSteps(path, lists, tree, openProject)]).toEqual([path, true, false]);
  }
});

/** The steps with each object of this test file. `broken`: a module that cannot be read. */
function observedIn(testCode: string, broken = '') {
  const tree = treeOf({ 'src/bag.ts': BAG, 'test/code.test.ts': testCode });
  const load = createLoadFile(tree, tree.rootDir.replaceAll('\\', '/'));
  const opened = load('test/code.test.ts')!;
  const objects = findObservedObjects(opened, (path) => {
    if (broken !== '' && path.includes(broken)) throw new Error('It cannot be read.');
    return load(path);
  });
  return objects.map(({ steps }) => steps.map(({ name, given }) => [name, ...given]));
}

test('a test that grows its values, or cannot be read, leaves the other tests of its file as they are', () => {
  const grows = Array.from({ length: 40 }, () => 'text = text + text; list = [...list, ...list]; tree = [tree, tree];');
  const found = observedIn(
    `
import { Bag } from '../src/bag';
import { broken } from '../src/broken';
it('grows', () => {
  const bag = new Bag();
  let text = 'text', list = ['a'], tree = ['a'];
  ${grows.join('\n  ')}
  bag.add(text); bag.add(list); bag.add(tree); bag.has('a');
});
it('cannot be read', () => { broken(); });
it('adds', () => { const bag = new Bag(); bag.add('b'); });`,
    'broken',
  );
  expect(found).toEqual([[['has', 'a']], [['add', 'b']]]);
});

test('a property counts as asserted if a test compares it', () => {
  const files = {
    'src/bag.ts': BAG.replace('get size', 'get all(): string[] { return []; }\n  get size'),
    'test/code.test.ts': `
import { Bag } from '../src/bag';
const bag = new Bag(); bag.add('a'); String(bag.all); expect(bag.size).toBe(1);`,
  };
  const { subjects } = planSearch(['src/bag.ts'], { 'src/bag.ts': ['test/code.test.ts'] }, treeOf(files), openProject);
  const uses = subjects.find(({ used }) => used)!.used!.uses.filter(({ kind }) => kind === 'get');
  expect(uses.map(({ name, asserted }) => [name, asserted ?? false])).toEqual([
    ['all', false],
    ['size', true],
  ]);
});

test('an argument is strange at a place where no test passes it', () => {
  const step = (...of: (string | number)[]) => ({ $: 'array', of }) as const;
  const sequences = [
    {
      making: [1],
      steps: [
        { use: 0, given: ['/a', 'GET'] },
        { use: 1, given: ['/b'] },
      ],
    },
  ];
  const cost = (...steps: ReturnType<typeof step>[]) =>
    computeStepCost(createPart<Parameters<typeof computeStepCost>[0]>({ sequences }), steps);
  expect(cost(step(1), step(0, '/a', 'GET'))).toBe(0);
  // The steps are new, but their arguments stand where tests pass them.
  expect(cost(step(1), step(0, '/a'))).toBe(10);
  expect(cost(step(1), step(0, 'GET', 'GET'))).toBe(40);
  expect(cost(step(1), step(1, '/a'))).toBe(40);
  // 1 is an argument of the maker, and the index of a use.
  expect(cost(step(1), step(0, 1))).toBe(40);
});

/** Each step as a text, with the numbers of recorders. */
function textsOf(test: string, files: Readonly<Record<string, string>> = {}) {
  return stepsIn('src/bag.ts', { 'src/bag.ts': BAG, 'test/code.test.ts': test, ...files }).flatMap(
    ({ sequences }) => sequences,
  );
}

test('callbacks become recorders, one number for each; functions whose result matters do not', () => {
  expect(
    textsOf(`
import { Bag } from '../src/bag';
const bag = new Bag();
const onAdd = vi.fn();
bag.on('add', onAdd);
bag.on('remove', (item) => { console.log(item); });
bag.on('add', onAdd, { once: true });
bag.map((item) => other[item]);
bag.filter((item) => item.length > 1);
const off = bag.on('clear', jest.fn());
off();`),
  ).toEqual([
    [
      'on "add" {"$":"recorder","id":0}',
      'on "remove" {"$":"recorder","id":1}',
      'on "add" {"$":"recorder","id":0} {"$":"record","fields":[["once",true]]}',
      'filter {"$":"code","text":"item => item.length > 1"}',
      'on "clear" {"$":"recorder","id":2}',
      'on',
    ],
  ]);
});

test('a package that its tests import by its name, and a function that returns a constant, are known', () => {
  const test = `
import { Bag } from 'bags/bag';
const initial = { a: 1 };
const bag = new Bag(() => initial, new Map());
bag.add('a');`;
  const { subjects } = planSearch(
    ['src/bag.ts'],
    { 'src/bag.ts': ['test/code.test.ts'] },
    treeOf({ 'package.json': '{\n  "name": "bags"\n}', 'src/bag.ts': BAG, 'test/code.test.ts': test }),
    openProject,
  );
  expect(subjects.flatMap(({ sequences = [] }) => sequences.map(({ making }) => making))).toEqual([
    [
      { $: 'code', text: '() => ({ a: 1 })' },
      { $: 'code', text: 'new Map()' },
    ],
  ]);
});
