// Which functions of a grammar the engine may optimise: it says itself what it compiles how.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  compileGrammar,
  measureLargestFunction,
  MAX_OPTIMISED_BYTES,
} from '../../../server/src/adapters/grammars/compile.ts';
import { PACKAGED_GRAMMARS } from '../../../server/src/adapters/grammars/packagedGrammars.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const wasmOf = (language: keyof typeof PACKAGED_GRAMMARS): Uint8Array =>
  readFileSync(join(root, 'node_modules', PACKAGED_GRAMMARS[language]));

/**
 * Sizes of the functions that the optimiser compiled in a process that parses, by the engine's own account; a module
 * goes by its address.
 */
function optimised(...pairs: readonly string[]): number[] {
  const said = execFileSync(
    process.execPath,
    ['--trace-wasm-compilation-times', join(import.meta.dirname, 'parseAll.ts'), ...pairs],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  return [...said.matchAll(/using TurboFan.*?bodysize (\d+)/g)].map(([, size]) => Number(size));
}

test('lexers up to a size are optimised, larger ones never, and what is compiled after them is again', () => {
  expect(measureLargestFunction(wasmOf('swift'))).toBeGreaterThan(MAX_OPTIMISED_BYTES);
  const lexer = measureLargestFunction(wasmOf('php'));
  expect(lexer).toBeLessThan(MAX_OPTIMISED_BYTES);
  const sizes = optimised(
    'swift=test/fixtures/languages/swift.swift',
    'bash=test/fixtures/languages/bash.sh',
    'php=test/fixtures/languages/php.php',
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_OPTIMISED_BYTES);
  expect(sizes).toContain(lexer);
});

test('what is no module is said', () => {
  expect(measureLargestFunction(new Uint8Array())).toBe(0);
  expect(measureLargestFunction(wasmOf('lua').subarray(0, 20))).toBe(0);
  expect(() => compileGrammar(new TextEncoder().encode('no module at all'))).toThrow(
    expect.objectContaining({ reason: 'unavailable' }),
  );
});
