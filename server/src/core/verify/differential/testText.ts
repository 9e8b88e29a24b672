// Writes a counterexample as a test of the old behaviour, which a person may keep.

import { posix } from 'node:path';
import type { TargetReport } from './plan.ts';

/** The runner for which the test is written. */
export type TestLanguage = 'vitest' | 'jest' | 'node';

/** The text of a test file next to the module; null if the call or the result cannot be written as an expression. */
export function createTestText({ path, name, counterexample }: TargetReport, language: TestLanguage): string | null {
  if (
    !counterexample ||
    counterexample.expected === null ||
    counterexample.imported === null ||
    /<|stub\(/.test(counterexample.call)
  )
    return null;
  const { call, expected, imported, before } = counterexample;
  const file = `./${posix.basename(path)}`;
  const importLine =
    imported.name === 'default'
      ? `import ${chooseName(name)} from '${file}';`
      : `import { ${imported.name} } from '${file}';`;
  const callText =
    imported.name === 'default' ? call.replace(name, chooseName(name)) : call.replace(name, imported.name);
  const awaitPrefix = before.startsWith('resolves') ? 'await ' : '';
  const title = `${name} answers as it did`;
  if (language === 'node')
    return [
      `import assert from 'node:assert/strict';`,
      `import { test } from 'node:test';`,
      importLine,
      '',
      `test(${JSON.stringify(title)}, async () => {`,
      `  assert.deepEqual(${awaitPrefix}${callText}, ${expected});`,
      '});',
      '',
    ].join('\n');
  const firstImports = language === 'vitest' ? [`import { expect, test } from 'vitest';`] : [];
  return [
    ...firstImports,
    importLine,
    '',
    `test(${JSON.stringify(title)}, async () => {`,
    `  expect(${awaitPrefix}${callText}).toStrictEqual(${expected});`,
    '});',
    '',
  ].join('\n');
}

function chooseName(name: string): string {
  return name === 'default' ? 'subject' : name;
}
