// Rules about files: short, named exports, no disabled checks, no mention of a machine.

import { expect, test } from 'vitest';
import { slowFiles } from '../helpers/slowFiles.ts';
import { projectFiles, read } from './sourceFiles.ts';

const code = projectFiles('.ts', '.mts', '.mjs', '.css').filter((path) => !/(^|\/)fixtures\//.test(path));

test('files have at most 400 lines', () => {
  const long = code
    .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

test('at most one line in a hundred is wider than 120 columns', () => {
  const lines = code.filter((path) => !path.endsWith('.css')).flatMap((path) => read(path).split('\n'));
  expect(lines.filter((line) => line.length > 120).length / lines.length).toBeLessThan(0.01);
});

test('sources have named exports only, and no file merely passes others on', () => {
  const sources = code.filter((path) => /^(server|client|webview)\/src\/.*\.ts$/.test(path));
  expect(sources.filter((path) => /^export default\b/m.test(read(path)))).toEqual([]);
  expect(sources.filter((path) => /^export \* from/m.test(read(path)))).toEqual([]);
});

test('each source file says in its first lines what it is for', () => {
  const silent = code
    .filter((path) => /^(server|client|webview)\/src\/.*\.ts$/.test(path))
    .filter((path) => !/^(#!.*\n)?\s*(\/\/|\/\*)/.test(read(path)));
  expect(silent).toEqual([]);
});

test('no test is skipped or run alone', () => {
  const tests = projectFiles('.test.ts', '.e2e.mjs').filter((path) => !path.startsWith('test/tidy/'));
  expect(
    tests.filter((path) =>
      /\b(test|it|describe|suite)\.(skip|only|todo|skipIf|runIf)\b|\bx(it|describe)\(/.test(read(path)),
    ),
  ).toEqual([]);
});

test('no test has less time than all of them have', () => {
  const ownDeadline = /^\},\s*([\d_]+)\);$|^test\b.*\{ timeout: ([\d_]+) \}/gm;
  const short = projectFiles('.test.ts').flatMap((path) =>
    [...read(path).matchAll(ownDeadline)]
      .filter(([, last, first]) => Number((last ?? first)!.replaceAll('_', '')) <= 300_000)
      .map(([line]) => `${path}: ${line}`),
  );
  expect(short).toEqual([]);
});

test('nothing is left for later', () => {
  const marker = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')}|XXX)\\b`);
  const exempt = /^(test\/|docs\/|server\/src\/core\/(propose|analysis|rules|recipes)\/)/; // rules and recipes name these words
  expect(code.filter((path) => !exempt.test(path) && marker.test(read(path)))).toEqual([]);
});

test('lock files name no download host', () => {
  expect(projectFiles('package-lock.json').filter((path) => /"resolved":\s*"https?:/.test(read(path)))).toEqual([]);
});

test('the list of slow tests names files that are there, each once', () => {
  const tests = new Set(projectFiles('.test.ts'));
  expect(slowFiles.filter((path) => !tests.has(path))).toEqual([]);
  expect(new Set(slowFiles).size).toBe(slowFiles.length);
});
