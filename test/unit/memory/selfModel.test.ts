// The self-model: every statement can be found in the files, the imports or the history it was made of.

import { expect, test } from 'vitest';
import { computeLayers } from '../../../server/src/core/memory/model/layers.ts';
import { findTopCommentPurpose, readReadmePurpose } from '../../../server/src/core/memory/model/purpose.ts';
import { findRecentChanges } from '../../../server/src/core/memory/model/history.ts';
import { renderSelfModel } from '../../../server/src/core/memory/renderSelfModel.ts';
import { computeSelfModel, type ModelSources } from '../../../server/src/core/memory/selfModel.ts';
import { never, recordOf } from './records.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

const shop: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'shop',
    description: 'Sells bread.',
    main: './dist/index.js',
    bin: { shop: 'bin/shop.js' },
    engines: { vscode: '^1.100.0' },
    contributes: { commands: [{}, {}] },
    scripts: { test: 'vitest run' },
    dependencies: { zod: '4.0.0' },
    devDependencies: { vitest: '5.0.0', '@types/vscode': '1.1.0' },
  }),
  'README.md': '# Shop\n\n![badge](x.png)\n\nThe shop sells **bread** to people. And more.\n',
  'bin/shop.js': '#!/usr/bin/env node\n// Starts the shop.\nimport { sell } from "../src/till/sell.js";\nsell();\n',
  'src/till/README.md': 'What takes the money and gives the change.\n',
  'src/till/sell.ts':
    "// Copyright 2026 The Shop\n\n// Sells one thing at a time.\nimport { z } from 'zod';\nimport { log } from '../log/log.ts';\nexport function sell() { if (z) log(); }\n",
  'src/log/log.ts':
    "/** Writes down what happens in the shop. */\nimport * as vscode from 'vscode';\nimport { readFile } from 'node:fs';\nexport function log() {}\n",
  'src/log/form.ts': "export const form = 'x';\n",
  'src/shelf/shelf.ts': "import { wall } from '../wall/wall.ts';\nexport const shelf = wall;\n",
  'src/wall/wall.ts': "import { shelf } from '../shelf/shelf.ts';\nexport const wall = () => shelf;\n",
  'test/sell.test.ts':
    "import { test } from 'vitest';\nimport { sell } from '../src/till/sell.ts';\ntest('sells', () => sell());\n",
  'lib/test/runners.ts': '// Knows how tests are run.\nexport const runners = 1;\n',
  'lib/run.ts': "import { runners } from './test/runners.ts';\nexport const run = runners;\n",
};

async function model(files: Readonly<Record<string, string>>, more: Partial<ModelSources> = {}) {
  const records: FileRecord[] = [];
  for (const [path, text] of Object.entries(files)) records.push(await recordOf(path, text));
  const known = new Set(Object.keys(files));
  const edges = new Map(
    records.map(({ path, imports }) => [
      path,
      imports
        .map((specifier) => new URL(specifier, `file:///${path}`).pathname.slice(1))
        .flatMap((target) => [target, target.replace(/\.js$/, '.ts')])
        .filter((target) => known.has(target)),
    ]),
  );
  const inDegree = new Map<string, number>();
  for (const targets of edges.values())
    for (const target of targets) inDegree.set(target, (inDegree.get(target) ?? 0) + 1);
  return computeSelfModel(
    {
      records,
      edges,
      inDegree,
      commits: null,
      events: [],
      complexity: null,
      read: async (path) => files[path] ?? null,
      ...more,
    },
    never,
  );
}

test('modules say what they are for in their own words, with the place', async () => {
  const { modules, name, purpose } = await model(shop);
  expect({ name, purpose }).toEqual({ name: 'shop', purpose: { text: 'Sells bread.', source: 'package.json' } });
  expect(modules.map(({ path, purpose: own, keyFile }) => [path, own?.text ?? null, keyFile?.text ?? null])).toEqual([
    ['.', 'Sells bread.', null],
    ['bin', null, null],
    ['lib', null, null],
    ['lib/test', null, 'Knows how tests are run.'],
    ['src/log', null, 'Writes down what happens in the shop.'],
    ['src/shelf', null, null],
    ['src/till', 'What takes the money and gives the change.', null],
    ['src/wall', null, null],
  ]);
});

test('layers follow the imports; a circle shares a level and is named', async () => {
  const { modules, cycles } = await model(shop);
  expect(Object.fromEntries(modules.map(({ path, level }) => [path, level]))).toMatchObject({
    bin: 2,
    'src/till': 1,
    'src/log': 0,
    'src/shelf': 0,
    'src/wall': 0,
  });
  expect(cycles).toEqual([['src/shelf', 'src/wall']]);
  expect(modules.find(({ path }) => path === 'src/till')).toMatchObject({
    needs: ['src/log'],
    neededBy: ['bin'],
    testedBy: 1,
    keyFiles: ['src/till/sell.ts'],
  });
});

test('layers of a chain, a diamond and a circle', () => {
  const of = (needs: Record<string, string[]>) =>
    computeLayers(new Map(Object.entries(needs).map(([module, all]) => [module, new Set(all)])));
  expect(Object.fromEntries(of({ a: ['b'], b: ['c'], c: [] }).levels)).toEqual({ a: 2, b: 1, c: 0 });
  expect(Object.fromEntries(of({ a: ['b', 'c'], b: ['d'], c: [], d: [] }).levels)).toEqual({ a: 2, b: 1, c: 0, d: 0 });
  expect(of({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [] })).toEqual({
    levels: new Map([
      ['d', 0],
      ['c', 1],
      ['b', 1],
      ['a', 2],
    ]),
    cycles: [['b', 'c']],
  });
});

test('entry points are what the manifest offers, with the file where there is one', async () => {
  const { entryPoints } = await model(shop);
  expect(entryPoints.map(({ kind, name, file }) => [kind, name, file])).toEqual([
    ['command', 'shop', 'bin/shop.js'],
    ['VS Code extension', 'shop', null],
    ['VS Code contributions', 'commands (2)', null],
    ['script', 'test', null],
  ]);
});

test('dependencies are counted by the files that import them; types stand for their package', async () => {
  const { dependencies } = await model(shop);
  expect(dependencies.map(({ name, kind, files, tests }) => [name, kind, files, tests])).toEqual([
    ['vitest', 'development', 1, 1],
    ['vscode', 'undeclared', 1, 0],
    ['zod', 'runtime', 1, 0],
    ['@types/vscode', 'development', 0, 0],
  ]);
});

test('what other code imports is no test, whatever its folder is called', async () => {
  const { tests } = await model(shop);
  expect(tests).toEqual({
    files: 1,
    folders: [{ path: 'test', files: 1 }],
    command: 'vitest run',
    commandSource: 'package.json',
  });
});

test('python: commands, requirements with markers and extras, packages of its own', async () => {
  const { dependencies, entryPoints, tests } = await model({
    'pyproject.toml': `[project]\nname = "Bread-Shop"\ndescription = "Sells bread."\ndependencies = [\n  "werkzeug>=3.1",\n  'celery[redis]>=5; python_version < "3.12"',\n]\n[project.scripts]\nbread = "bread_shop.cli:main"\n[dependency-groups]\ndev = ["pytest", {include-group = "docs"}]\n[tool.pytest.ini_options]\n`,
    'src/bread_shop/cli.py':
      'import werkzeug.serving\nfrom celery import Celery\nimport bread_shop\nimport os\ndef main(): pass\n',
    'src/bread_shop/__main__.py': 'from .cli import main\nmain()\n',
  });
  expect(dependencies.map(({ name, version, files }) => [name, version, files])).toEqual([
    ['celery', '>=5', 1],
    ['werkzeug', '>=3.1', 1],
    ['pytest', null, 0],
  ]);
  expect(entryPoints.map(({ kind, name, file }) => [kind, name, file])).toEqual([
    ['command', 'bread', 'src/bread_shop/cli.py'],
    ['main module', 'bread_shop', 'src/bread_shop/__main__.py'],
  ]);
  expect(tests.command).toBe('pytest');
});

test('go and rust: main functions and declared dependencies', async () => {
  const { entryPoints, dependencies } = await model({
    'go.mod':
      'module example.com/shop\n\nrequire (\n\tgithub.com/a/till v1.2.3\n\tgithub.com/b/far v0.1.0 // indirect\n)\n',
    'cmd/shop/main.go': 'package main\n\nimport "github.com/a/till/drawer"\n\nfunc main() { drawer.Open() }\n',
    'Cargo.toml': '[package]\nname = "shop"\n\n[dependencies]\nserde = { version = "1" }\n',
    'src/main.rs': 'use serde::Serialize;\nfn main() {}\n',
  });
  expect(entryPoints.map(({ kind, target }) => [kind, target])).toEqual([
    ['main function', 'cmd/shop/main.go:5'],
    ['main function', 'src/main.rs:2'],
  ]);
  expect(dependencies.map(({ name, files }) => [name, files])).toEqual([
    ['github.com/a/till', 1],
    ['serde', 1],
  ]);
});

test('hot spots are where change meets complexity; without history that is said', async () => {
  const commits = [1, 2, 3].map((n) => ({
    hash: `${n}`.repeat(40),
    atMs: n * 1000,
    subject: `change ${n}`,
    paths: ['a.ts', ...(n === 1 ? ['b.ts'] : [])],
  }));
  const records = await Promise.all(['a.ts', 'b.ts', 'c.ts'].map((path) => recordOf(path, 'export function f() {}\n')));
  const complexity = new Map([
    ['a.ts', 5],
    ['b.ts', 10],
    ['c.ts', 50],
  ]);
  const known = await model({}, { records, commits, complexity });
  expect(known.hotSpots).toEqual([
    { path: 'a.ts', commits: 3, complexity: 5 },
    { path: 'b.ts', commits: 1, complexity: 10 },
  ]);
  const unknown = await model({}, { records, commits: null, complexity });
  expect(unknown.hotSpots).toEqual([]);
  expect(unknown.unknown.join(' ')).toContain('There is no git history');
});

test('recent changes: ours with the hashes of the files, commits with their revisions, at most a hundred, newest first', () => {
  const event = (sequence: number, type: string, data: unknown) => ({
    sequence,
    id: `${sequence}`,
    at: sequence * 1000,
    type,
    data,
    previous: '',
    hash: '',
  });
  const files = [{ path: 'a.ts', before: 'old', after: 'new', mode: 0o644 }];
  const commits = Array.from({ length: 150 }, (_, index) => ({
    hash: `${index}`,
    atMs: 500_000 - index,
    subject: 'work',
    paths: ['b.ts'],
  }));
  const changes = findRecentChanges(
    [
      event(900, 'applied', { proposal: 'p1', checkpoint: { id: 'c1', title: 'Remove it', files } }),
      event(901, 'rolledBack', { proposal: 'p1', checkpoint: 'c1' }),
      event(902, 'indexed', {}),
    ],
    commits,
  );
  expect(changes.length).toBe(100);
  expect(changes.slice(0, 3)).toEqual([
    { kind: 'rollback', at: 901_000, title: 'Checkpoint c1 was restored', before: null, after: 'c1', files: [] },
    {
      kind: 'change',
      at: 900_000,
      title: 'Remove it',
      before: 'c1',
      after: 'p1',
      files: [{ path: 'a.ts', before: 'old', after: 'new' }],
    },
    {
      kind: 'commit',
      at: 500_000,
      title: 'work',
      before: '0^',
      after: '0',
      files: [{ path: 'b.ts', before: null, after: null }],
    },
  ]);
});

test.each([
  ['# Title\n\n[![x](y)](z)\n\nSells *bread* to [people](x.md). More.', 'Sells bread to people.'],
  ['Title\n=====\n\n.. image:: x\n\nSells bread to people\nevery day.\n', 'Sells bread to people every day.'],
  ['<p align="center"><img/></p>\n\nSee the guide for more.\n', null],
  ['# Only a title\n', null],
])('purpose of a README %#', (text, expected) => expect(readReadmePurpose(text)).toBe(expected));

test.each([
  ['// Sells bread. And more.\nconst a = 1;', 'Sells bread.'],
  [
    "#!/usr/bin/env node\n'use strict';\n/* eslint-disable */\n/**\n * Sells bread to people\n * every day.\n */",
    'Sells bread to people every day.',
  ],
  ['/* Copyright (c) The Shop. Licensed. */\n\n// Sells bread daily.\n', 'Sells bread daily.'],
  ['"""Sells bread daily."""\nimport os', 'Sells bread daily.'],
  ['"""\nThe Shop\n~~~~~~~~\n\nSells :class:`~shop.Bread` daily\n\nMore.\n"""', 'Sells shop.Bread daily'],
  ['//! Sells bread daily.\nuse std;', 'Sells bread daily.'],
  ['import x from "y";\n// Sells bread daily.\n', null],
  ['#include <bread.h>\n', null],
])('head comment %#', (text, expected) => expect(findTopCommentPurpose(text)).toBe(expected));

test('as a document', async () => {
  const text = renderSelfModel(await model(shop));
  expect(text).toContain('# shop\n\nSells bread. (package.json)\n');
  expect(text).toContain(
    '- **src/till**: What takes the money and gives the change. (src/till/README.md) 2 files, 1 definition, imported by 1 module, imported by 1 test file. Most imported: sell.ts.',
  );
  expect(text).toContain('- **src/log**: Does not say. log.ts: Writes down what happens in the shop. 2 files');
  expect(text).toContain('These need each other: src/shelf, src/wall.');
  expect(text).toContain(
    '- VS Code extension `shop`: `./dist/index.js` (package.json; no such file in the repository)',
  );
  expect(text).toContain('- zod 4.0.0 (runtime): imported by 1 file');
  expect(text).toContain('These folders do not say what they are for: bin, lib, src/shelf, src/wall.');
  expect(text).toContain('Hot spots\n\nNot known');
});
