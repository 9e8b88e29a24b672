// What kind of file a path is: a table of example paths by kind and language, and what the text of a file adds.

import { expect, test } from 'vitest';
import { isDocumentation, isDemonstration } from '../../../server/src/core/paths/nonSourcePaths.ts';
import { looksGenerated } from '../../../server/src/core/paths/generated.ts';
import { importsCodeAround, findOwnVendorFolders } from '../../../server/src/core/paths/ownFolder.ts';
import { isBenchmarkCode, isSnapshot, isTest, isTestData } from '../../../server/src/core/paths/tests.ts';
import { importsTestRunner } from '../../../server/src/core/paths/runnerImports.ts';
import kinds from '../../fixtures/paths/kinds.json' with { type: 'json' };

const TEXT = 'a line\n';
const asks: Readonly<Record<string, (path: string) => boolean>> = {
  test: isTest,
  testData: isTestData,
  snapshot: isSnapshot,
  benchmark: isBenchmarkCode,
  generated: (path) => looksGenerated(path, TEXT),
  vendored: (path) => looksGenerated(path, TEXT),
  output: (path) => looksGenerated(path, TEXT),
  documentation: isDocumentation,
  example: isDemonstration,
};

const rows = Object.entries(kinds).flatMap(([kind, byLanguage]) =>
  Object.entries(byLanguage as Record<string, string[]>).flatMap(([language, paths]) =>
    paths.map((path) => [kind, language, path] as const),
  ),
);

test.each(rows.filter(([kind]) => kind !== 'product'))('%s, %s: %s', (kind, _language, path) => {
  expect(asks[kind]!(path)).toBe(true);
});

test.each(rows.filter(([kind]) => kind === 'product'))('%s, %s: %s is none of them', (_kind, _language, path) => {
  expect(Object.keys(asks).filter((kind) => asks[kind]!(path))).toEqual([]);
});

test('every kind has paths in at least the languages that it has rows for', () => {
  expect(Object.keys(asks).filter((kind) => !(kind in kinds))).toEqual([]);
  expect(Object.keys(kinds.test).length).toBeGreaterThanOrEqual(20);
});

test.each([
  ['src/vendors/order.ts', "import { cart } from '../cart.ts';\n", false],
  ['src/vendors/order.ts', "import { cart } from './cart.ts';\n", true],
  ['shop/vendors/order.py', 'from ..cart import total\n', false],
  ['shop/vendors/order.py', 'from shop.cart import total\n', false],
  ['shop/vendors/order.py', 'from shop.vendors.cart import total\n', true],
  ['lib/my_shop/vendors/order.ex', '  alias MyShop.Cart\n', false],
  ['static/vendors/query.js', "import a from 'a';\n", true],
  ['vendor/github.com/a/b/c.go', 'import "github.com/a/d"\n', true],
  ['src/dist/normal.ts', "import { mean } from '../mean.ts';\n", false],
  ['dist/cli.js', "import data from '../package.json';\n", true],
  ['node_modules/a/index.js', "import { cart } from '../../src/cart.ts';\n", true],
])('%s with %j is somebody else’s: %s', (path, text, others) => {
  expect(looksGenerated(path, text)).toBe(others);
});

test('a folder of vendors is the product’s own where its files import what is around it', () => {
  const imports = new Map([
    ['app/vendors/list.ts', ['app/cart.ts']],
    ['app/vendors/form.ts', ['app/vendors/list.ts']],
    ['static/vendor/query.js', []],
    ['static/vendor/plot.js', ['static/vendor/query.js']],
    ['app/cart.ts', ['static/vendor/plot.js']],
  ]);
  expect(findOwnVendorFolders(imports)).toEqual(['app/vendors']);
  const copies = [...Array(30).keys()].map((at): [string, string[]] => [
    `lib/vendor/${at}.js`,
    at === 0 ? ['lib/cart.js'] : [],
  ]);
  expect(findOwnVendorFolders(new Map(copies))).toEqual([]);
});

test('texts as long as they may be are read in time', () => {
  const started = process.threadCpuUsage();
  expect(importsCodeAround('a/vendor/b.js', 'a/vendor', "'../".repeat(200_000))).toBe(false);
  expect(importsCodeAround('a/vendor/b.py', 'a/vendor', ' from ...'.repeat(100_000))).toBe(false);
  expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(5_000);
});

test.each([
  ['checks/cart.ts', "import { test } from 'node:test';\n", true],
  ['checks/cart.ts', "const { expect } = require('@jest/globals');\n", true],
  ['Shop/Checks.cs', 'using Xunit;\n', true],
  ['shop/checks.py', 'import pytest\n', true],
  ['shop/Checks.java', 'import org.junit.jupiter.api.Test;\n', true],
  ['shop/checks.rb', "require 'minitest/autorun'\n", true],
  ['lib/checks.dart', "import 'package:test/test.dart';\n", true],
  ['Sources/Checks.swift', 'import XCTest\n', true],
  ['src/Checks.php', 'use PHPUnit\\Framework\\TestCase;\n', true],
  ['src/checks.rs', '#[cfg(test)]\nmod tests {}\n', true],
  ['src/cart.ts', "import { test } from './pattern.ts';\n// import 'vitest'\n", false],
  ['src/cart.ts', "export const runners = ['vitest', 'jest'];\n", false],
])('%s with %j runs tests: %s', (_path, text, runs) => {
  expect(importsTestRunner(text)).toBe(runs);
});
