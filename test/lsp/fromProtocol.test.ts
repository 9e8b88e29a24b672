// What comes over the wire is read strictly where it matters and leniently where clients differ.

import { describe, expect, test } from 'vitest';
import { toAbsolutePath, toRelativePath, toRange, flattenSettings } from '../../server/src/lsp/fromProtocol.ts';
import { defaultSettings } from '../../server/src/settings/schema.ts';
import { toLspRange, toUri } from '../../server/src/lsp/toProtocol.ts';

describe('settings', () => {
  test.each([
    { given: undefined, flat: {} },
    { given: null, flat: {} },
    { given: 'text', flat: {} },
    {
      given: { charter: { approval: 'strict', protectedPaths: ['a'] } },
      flat: { 'charter.approval': 'strict', 'charter.protectedPaths': ['a'] },
    },
    { given: { 'charter.approval': 'strict' }, flat: { 'charter.approval': 'strict' } },
    { given: { selfware: { diagnostics: { enable: false } }, other: { x: 1 } }, flat: { 'diagnostics.enable': false } },
    { given: { 'selfware.charter.approval': 'strict' }, flat: { 'charter.approval': 'strict' } },
    { given: { index: { exclude: [] } }, flat: { 'index.exclude': [] } },
    {
      given: { selfware: { analysis: { rules: { 'long-function': 'off' } } } },
      flat: { 'analysis.rules': { 'long-function': 'off' } },
    },
    {
      given: { 'selfware.analysis.rules': { 'long-function': { limit: 90 } } },
      flat: { 'analysis.rules': { 'long-function': { limit: 90 } } },
    },
  ])('$given', ({ given, flat }) => {
    expect(flattenSettings(given)).toEqual(flat);
  });

  test('that are objects stay whole, whichever they are', () => {
    const objects = Object.entries(defaultSettings)
      .filter(([, value]) => typeof value === 'object' && !Array.isArray(value))
      .map(([name]) => name);
    expect(objects).toContain('analysis.rules');
    for (const name of objects) expect(flattenSettings({ [name]: { any: 1 } })).toEqual({ [name]: { any: 1 } });
  });
});

describe('paths', () => {
  test.each([
    { uri: 'file:///work/repo/src/a.ts', path: 'src/a.ts' },
    { uri: 'file:///work/repo/a%20b/%C3%A4.ts', path: 'a b/ä.ts' },
    { uri: 'file:///real/repo/x.ts', path: 'x.ts' },
    { uri: 'file:///work/repository/a.ts', path: null },
    { uri: 'file:///work/repo', path: null },
    { uri: 'file:///work/a.ts', path: null },
    { uri: 'file:///work/repo/..%2Fa.ts', path: null },
    { uri: 'untitled:Untitled-1', path: null },
    { uri: 'git:/work/repo/a.ts', path: null },
    { uri: 'no uri at all', path: null },
    { uri: '', path: null },
  ])('$uri', ({ uri, path }) => {
    expect(toRelativePath(uri, ['/work/repo', '/real/repo'])).toBe(path);
  });

  test.each(['src/a.ts', 'a b/ä.ts', 'x#y?.ts', '%41.ts', 'a+b@c(d).ts'])('%s goes to a URI and back', (path) => {
    expect(toRelativePath(toUri('file:///work/repo', path), ['/work/repo'])).toBe(path);
  });

  test('a folder is a file URI', () => {
    expect([toAbsolutePath('file:///work/a%20b'), toAbsolutePath('vscode-vfs://github/x'), toAbsolutePath('')]).toEqual(
      ['/work/a b', null, null],
    );
  });
});

test('positions count from 1 here and from 0 there', () => {
  const range = { startLine: 1, startColumn: 1, endLine: 3, endColumn: 7 };
  expect(toLspRange(range)).toEqual({ start: { line: 0, character: 0 }, end: { line: 2, character: 6 } });
  expect(toRange(toLspRange(range))).toEqual(range);
});
