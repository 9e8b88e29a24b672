// What is not loaded at the start, which would wait for it: the TypeScript compiler, whose nine megabytes take long to
// read, Node's HTTP, of which an import of all names loads a client of half a megabyte, and the libraries of models and
// agents, which nobody needs who asks none.

import { expect, test } from 'vitest';
import { dirname, join } from 'node:path/posix';
import { read } from './sourceFiles.ts';

const HEAVY = /^(?:ts-morph|typescript|@ts-morph\/common|node:https?|@ai-sdk\/.*|@agentclientprotocol\/.*)$/;

test.each(['server/src/main.ts', 'server/src/cli/program.ts'])(
  '%s starts without the compiler, HTTP and models',
  (entry) => {
    const loaded = loadedBy(entry);
    expect(loaded.size).toBeGreaterThan(5);
    expect([...loaded].filter(([, { packages }]) => packages.some((name) => HEAVY.test(name))).map(chain)).toEqual([]);

    /** From the entry to the file. */
    function chain([path]: readonly [string, Loaded]): string {
      const { from } = loaded.get(path)!;
      return from === null ? path : `${chain([from, loaded.get(from)!])} → ${path}`;
    }
  },
);

test('a file that needs the compiler is seen', () => {
  expect(
    loadedBy('server/src/core/rules/allFinders.ts').get('server/src/core/rules/index-loop/find.ts')?.packages,
  ).toContain('ts-morph');
});

interface Loaded {
  readonly from: string | null;
  readonly packages: readonly string[];
}

/** Files that are loaded along with this one: over static imports of values. */
function loadedBy(entry: string): Map<string, Loaded> {
  const loaded = new Map<string, Loaded>();
  const open: { path: string; from: string | null }[] = [{ path: entry, from: null }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, from } = next;
    if (loaded.has(path)) continue;
    const specifiers = valuesImportedBy(path);
    loaded.set(path, { from, packages: specifiers.filter((specifier) => !specifier.startsWith('.')) });
    for (const specifier of specifiers)
      if (specifier.endsWith('.ts')) open.push({ path: join(dirname(path), specifier), from: path });
  }
  return loaded;
}

function valuesImportedBy(path: string): string[] {
  return [...read(path).matchAll(/^(?:import|export)\s+([^;'"]*?)\s*from\s+'([^']+)';/gm)]
    .filter(([, names = '']) => !isTypesAlone(names))
    .map(([, , specifier = '']) => specifier);
}

function isTypesAlone(names: string): boolean {
  if (/^type\b/.test(names)) return true;
  const listed = /^\{(.*)\}$/s.exec(names)?.[1];
  return (
    listed !== undefined &&
    listed
      .split(',')
      .map((name) => name.trim())
      .every((name) => name === '' || name.startsWith('type '))
  );
}
