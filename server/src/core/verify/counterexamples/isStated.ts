// Recognises counterexamples that tests of the repository contain: what a test expects is intended.

import { posix } from 'node:path';
import { ts } from 'ts-morph';
import type { SourceTree } from '../../ports/sources.ts';
import { findTests } from '../differential/planDifferential.ts';
import type { Counterexample } from './plan.ts';

/**
 * True if the tests of the file, or a `test.js` next to it, make all calls that show the counterexample, with the same
 * arguments. False if it lists no such calls.
 */
export function isStated({ path, stated = [] }: Pick<Counterexample, 'path' | 'stated'>, tree: SourceTree): boolean {
  const root = tree.rootDir.replaceAll('\\', '/');
  const tests = findTests(path, tree, root).map((test) => test.getText());
  // Small packages often have one `test.js` next to their `index.js`.
  const nearbyTestText = tree.read(posix.join(root, posix.dirname(path), 'test.js')) ?? '';
  const texts = [...tests, nearbyTestText].map(normaliseCode);
  return stated.length > 0 && stated.every((call) => texts.some((text) => text.includes(normaliseCode(call))));
}

/** The tokens of the code, with uniform quotes and without trailing commas. */
function normaliseCode(code: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, code);
  const tokens: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    const isText = kind === ts.SyntaxKind.StringLiteral || kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral;
    const token = isText ? JSON.stringify(scanner.getTokenValue()) : scanner.getTokenText();
    if (/^[)\]}]$/.test(token) && tokens.at(-1) === ',') tokens.pop();
    tokens.push(token);
  }
  // Spaces around each token prevent matches at the end of a longer name.
  return ` ${tokens.join(' ')} `;
}
