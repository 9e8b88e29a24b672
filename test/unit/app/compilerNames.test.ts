// The bundle asks for the compiler's names once: what stands in our sources afterwards means the same.

import { expect, test } from 'vitest';
import { ts } from 'ts-morph';
import { resolveCompilerNames } from '../../../scripts/bundle/compilerNames.mjs';

const source = (body: string) => `import { ts } from 'ts-morph';\n${body}\n`;

test('kinds become numbers, line by line; everything else stays', () => {
  const text = source(
    `const K = ts.SyntaxKind;\nexport const found = (node: ts.Node) => node.kind === K.IfStatement || node.kind === ts.SyntaxKind.Block;\nexport const name = ts.SyntaxKind[1];\nexport const other = node.ts.SyntaxKind.Block + link.K.Block;`,
  );
  const lines = resolveCompilerNames(text, ts).split('\n');
  expect(lines[0]).toBe("import * as ts from 'ts-morph';");
  expect(lines[2]).toBe(
    `export const found = (node: ts.Node) => node.kind === ${ts.SyntaxKind.IfStatement} || node.kind === ${ts.SyntaxKind.Block};`,
  );
  expect(lines.slice(3)).toEqual(text.split('\n').slice(3));
});

test('only members of enumerations are numbers, and K only where it stands for the kinds', () => {
  const body = 'export const size = ts.versionMajorMinor.length + ts.Nothing.Here + K.IfStatement;';
  expect(resolveCompilerNames(source(body), ts)).toContain(body);
  expect(resolveCompilerNames(source('export const none = ts.ScriptTarget.Latest;'), ts)).toContain(
    `none = ${ts.ScriptTarget.Latest};`,
  );
  expect(resolveCompilerNames(source('export const all = ts.TypeFlags.Any | ts.SymbolFlags.Value;'), ts)).toContain(
    `all = ${ts.TypeFlags.Any} | ${ts.SymbolFlags.Value};`,
  );
});
