// Writes a test that records the current results of a function, in the style of the neighbouring tests.

import type { TestPlace } from './testPlace.ts';

/** A call and its result, as source texts. `promised`: true if the call returns a promise of the result. */
export interface ObservedCall {
  readonly call: string;
  readonly answer: string;
  readonly promised: boolean;
}

/**
 * Writes the text of a file with the test. `exportedAs`: the exported name, or `default`. `name`: the name in the
 * calls.
 */
export function createCharacterizationTest(
  { runner, importsRunner, specifier, testFunction, style }: TestPlace,
  { name, exportedAs }: { readonly name: string; readonly exportedAs: string },
  observations: readonly ObservedCall[],
): string {
  const semicolon = style.semicolons ? ';' : '';
  const addQuotes = (text: string) => `${style.quote}${text}${style.quote}`;
  const runnerName = runner === 'node' ? 'node:test' : runner === 'jest' ? '@jest/globals' : 'vitest';
  const headLines = [
    ...(runner === 'node'
      ? [
          `import assert from ${addQuotes('node:assert/strict')}${semicolon}`,
          `import { ${testFunction} } from ${addQuotes('node:test')}${semicolon}`,
        ]
      : importsRunner
        ? [`import { expect, ${testFunction} } from ${addQuotes(runnerName)}${semicolon}`]
        : []),
    `import ${exportedAs === 'default' ? name : exportedAs === name ? `{ ${name} }` : `{ ${exportedAs} as ${name} }`} from ${addQuotes(specifier)}${semicolon}`,
  ];
  const isAsync = observations.some(({ promised }) => promised);
  const lines = observations.map(
    (observation) => `${style.indent}${createAssertion(observation, runner, style.quote)}${semicolon}`,
  );
  return [
    ...headLines,
    '',
    '// As measured, to notice when it changes; whether it should be so is for a person to say.',
    `${testFunction}(${addQuotes(`${name} answers as it does now`)}, ${isAsync ? 'async ' : ''}() => {`,
    ...lines,
    `})${semicolon}`,
    '',
  ].join(style.newline);
}

/** The assertion that a call returns this result, without a semicolon. */
export function createAssertion(
  { call, answer, promised }: ObservedCall,
  runner: TestPlace['runner'],
  quote: "'" | '"',
): string {
  const [actual, expected] = [changeQuotes(call, quote), changeQuotes(answer, quote)];
  const subject = promised ? `await ${actual}` : actual;
  const isPrimitive = /^(-?[\d.]+(e[+-]?\d+)?n?|true|false|null|undefined|(['"])[^'"\\]*\3)$/.test(expected);
  if (runner === 'node') return `assert.${isPrimitive ? 'equal' : 'deepEqual'}(${subject}, ${expected})`;
  return `expect(${subject}).${isPrimitive ? 'toBe' : 'toEqual'}(${expected})`;
}

/**
 * Writes the strings of the code in this quote. Strings that contain a quotation mark or a backslash stay unchanged.
 */
export function changeQuotes(code: string, quote: "'" | '"'): string {
  return code.replaceAll(/(["'])((?:\\.|(?!\1)[^\\])*)\1/g, (match: string, _own: string, text: string) =>
    /['"\\]/.test(text) ? match : `${quote}${text}${quote}`,
  );
}
