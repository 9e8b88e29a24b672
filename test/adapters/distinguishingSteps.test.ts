// Calls of several steps on one object that tell mutants from the code, in real processes.

import { beforeAll, expect, test } from 'vitest';
import { searchSteps } from '../helpers/stepSearch.ts';

const FILES = {
  'src/index.ts': "export { createStore } from './make.ts';\nexport { put, take } from './use.ts';\n",
  'src/make.ts': `
export interface Store { items: Record<string, { count: number }>; closed: boolean }
export function createStore(): Store { return { items: {}, closed: false }; }
`,
  'src/use.ts': `
import type { Store } from './make.ts';
export function put(store: Store, name: string, item: { count: number }): number {
  if (name === '') throw new RangeError('A name is missing.');
  store.items[name] ??= item;
  return Object.keys(store.items).length;
}
export function take(store: Store, name: string): { count: number } | null {
  const found = store.items[name];
  if (found === undefined) return null;
  delete store.items[name];
  return found;
}
`,
  'test/store.test.ts': `
import { createStore, put, take } from '../src/index.ts';
const store = createStore();
put(store, 'pens', { count: 3 });
put(store, 'pads', { count: 5 });
put(store, 'ink', { count: 1 });
take(store, 'pens');
const failing = createStore();
put(failing, '', { count: 0 });
take(failing, 'pads');
`,
};

let told: readonly { readonly shown: string; readonly call: string }[] = [];

beforeAll(() => {
  told = searchSteps(FILES, 'src/use.ts', 'test/store.test.ts').found;
});

test('a result that depends on earlier steps tells a mutant, with no step that it does not need', () => {
  const calls = told.filter(({ shown }) => /delete|found === undefined|\?\?=/.test(shown)).map(({ call }) => call);
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) expect(call).toMatch(/^const store = createStore\(\); .*(?:put|take)\(store, "/);
  // `ink` and `pads` are in the same test, and play no part.
  expect(calls.some((call) => call.split('; ').length <= 3)).toBe(true);
});

test('no step before the last one throws', () => {
  for (const { call } of told) expect(call.split('; ').slice(0, -1).join('; ')).not.toContain('put(store, "",');
});

const REGISTRY = {
  'src/registry.ts': `
export class Registry {
  names = new Map<string, number>();
  root = { depth: 1 };
}
SHARED
export function add(registry: Registry, name: string): number { return registry.names.set(name, name.length).size > 0 ? 1 : 2; }
export function lengthOf(registry: Registry, name: string): number { return registry.names.get(name) ?? -1; }
`,
  'test/registry.test.ts': `
import { add, getRegistry, lengthOf } from '../src/registry.ts';
const registry = getRegistry();
add(registry, 'pens');
lengthOf(registry, 'pens');
registry.root;
`,
};

function registryWith(shared: string) {
  const files = { ...REGISTRY, 'src/registry.ts': REGISTRY['src/registry.ts'].replace('SHARED', shared) };
  return searchSteps(files, 'src/registry.ts', 'test/registry.test.ts');
}

test('what gives the same object again is left out', () => {
  const { found, skipped } = registryWith(
    'const one = new Registry();\nexport function getRegistry(): Registry { return one; }',
  );
  expect(found).toEqual([]);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set(['What makes the object gives the same one again.']),
  );
});

test('no call needs what earlier calls have left behind, though each object is new', () => {
  const { found } = registryWith(
    'const names = new Map<string, number>();\nexport function getRegistry(): Registry { const one = new Registry(); one.names = names; return one; }',
  );
  // Without its `add`, the length is that of an earlier call.
  for (const { call } of found.filter((one) => /\blengthOf\(registry, "pens"\)$/.test(one.call)))
    expect(call).toContain('add(registry, "pens"); ');
});

test('an object inside of an object is no result, unless a test looks at it', () => {
  const { found } = registryWith('export function getRegistry(): Registry { return new Registry(); }');
  expect(found.length).toBeGreaterThan(0);
  for (const { call } of found) expect(call).not.toMatch(/registry\.root$/);
});
