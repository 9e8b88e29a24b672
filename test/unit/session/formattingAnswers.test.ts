// A model's answer is formatted by the repository's own formatter before it is judged, with the real Biome in a real
// sandbox.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxOf } from '../../adapters/sandbox/sandboxOf.ts';
import { askForProposal } from '../../../server/src/core/session/ask/askForProposal.ts';
import type { Proposer } from '../../../server/src/core/ports/proposers.ts';
import { createSessionWorld, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { manifestOf } from '../../helpers/manifest.ts';

const ours = join(import.meta.dirname, '..', '..', '..', 'node_modules');
const SORTED = "import { b } from './b.js';\nimport { c } from './c.js';\n";
const LAYOUT = `${SORTED}\nexport const sum = (one, other) => one + other + b + c;\n`;
const FILES = {
  '.gitignore': 'node_modules\n',
  'package.json': manifestOf('formatted', { scripts: { check: 'npm run fmt:check', 'fmt:check': 'biome ci src' } }),
  'biome.json':
    '{ "formatter": { "indentStyle": "space" }, "javascript": { "formatter": { "quoteStyle": "single" } } }\n',
  'src/formatted.js': LAYOUT,
  'src/other.js': 'export const other = "quoted"\nexport const last = 1\n',
  'src/b.js': 'export const b = 1;\n',
  'src/c.js': 'export const c = 2;\n',
};

test('an answer is laid out as its file, its imports are sorted, and files with another layout keep it', async () => {
  await using given = await sandboxOf(FILES);
  await mkdir(join(given.repository.dir, 'node_modules', '.bin'), { recursive: true });
  await symlink(join(ours, '@biomejs'), join(given.repository.dir, 'node_modules', '@biomejs'));
  await symlink('../@biomejs/biome/bin/biome', join(given.repository.dir, 'node_modules', '.bin', 'biome'));
  await using world = await createSessionWorld(FILES);
  const edits = [
    { file: 'src/formatted.js', search: SORTED, replace: `import { a } from "./a.js"\n${SORTED}` },
    { file: 'src/formatted.js', search: 'other + b', replace: 'other+a+b' },
    { file: 'src/other.js', search: 'last = 1', replace: 'last = [ 1,2 ]' },
    { file: 'src/a.js', content: "import { c } from './c.js'\nimport { b } from './b.js'\n\nexport const a=b+c\n" },
  ];
  const proposal = await proposalWith(edits, world, given);
  const after = Object.fromEntries(proposal.edits.map((edit) => [edit.path, edit.after]));
  expect(after).toEqual({
    'src/formatted.js': `import { a } from './a.js';\n${LAYOUT.replace('other + b', 'other + a + b')}`,
    'src/other.js': FILES['src/other.js'].replace('1\n', '[ 1,2 ]\n'),
    'src/a.js': `${SORTED}\nexport const a = b + c;\n`,
  });
  expect(proposal.rationale).toBe('Formatted with Biome, which this repository uses.');
});

/** The proposal that is made of these edits. */
async function proposalWith(
  edits: readonly object[],
  world: SessionWorld,
  given: Awaited<ReturnType<typeof sandboxOf>>,
) {
  const proposer: Proposer = {
    name: 'scripted',
    destination: null,
    ask: async () => ({
      text: JSON.stringify({ description: 'Adds a', edits }),
      finished: true,
      model: null,
      usage: null,
    }),
  };
  const session = await world.session({
    change: () => ({ sandbox: given.sandbox, proposers: { open: () => proposer, list: async () => [] } }),
  });
  const request = { task: { words: 'Add a to the sum' }, proposer: 'scripted', verify: false };
  const { proposal } = await askForProposal(session, request, { signal: new AbortController().signal });
  return proposal!;
}

test('Go is laid out by gofmt, in new files and in those that keep to it', async () => {
  const go = 'package a\n\nfunc A(x int) int {\n\treturn x\n}\n';
  const files = {
    'go.mod': 'module a\n\ngo 1.21\n',
    'a.go': go,
    'loose.go': 'package a\n\nfunc M() int {\n  return 3\n}\n\nfunc L() int {\n\treturn 1\n}\n',
  };
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const edits = [
    { file: 'a.go', search: '\treturn x', replace: '  if x<0 {\n    return -x\n  }\n\treturn x' },
    { file: 'loose.go', search: 'return 1', replace: 'return  2' },
    { file: 'b.go', content: 'package a\nfunc B(y int)int{\nreturn y }\n' },
  ];
  const proposal = await proposalWith(edits, world, given);
  expect(Object.fromEntries(proposal.edits.map(({ path, after }) => [path, after]))).toEqual({
    'a.go': go.replace('\treturn x', '\tif x < 0 {\n\t\treturn -x\n\t}\n\treturn x'),
    'loose.go': files['loose.go'].replace('return 1', 'return  2'),
    'b.go': 'package a\n\nfunc B(y int) int {\n\treturn y\n}\n',
  });
  expect(proposal.rationale).toBe('Formatted with gofmt, which this repository uses.');
});

test('Python is laid out by Black where the repository is formatted with it', async () => {
  const python = 'def first(values):\n    return values[0]\n';
  const files = { 'pyproject.toml': '[tool.black]\nline-length = 60\n', 'a.py': python };
  await using given = await sandboxOf(files);
  await using world = await createSessionWorld(files);
  const edits = [
    { file: 'a.py', search: '    return values[0]', replace: "    return values[ 0 ]if values else 'none'" },
    { file: 'b.py', content: 'def last( values ) :\n  return values[-1]\n' },
  ];
  const proposal = await proposalWith(edits, world, given);
  expect(Object.fromEntries(proposal.edits.map(({ path, after }) => [path, after]))).toEqual({
    'a.py': 'def first(values):\n    return values[0] if values else "none"\n',
    'b.py': 'def last(values):\n    return values[-1]\n',
  });
  expect(proposal.rationale).toBe('Formatted with Black, which this repository uses.');
});
