// Texts that a person reads: how strongly a change is proven has words of its own, and one of a thing is one.

import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles, read } from './sourceFiles.ts';

/** What shows texts to people; agents read what tools say aloud. */
const FACES = /^(server\/src\/(lsp|cli|tools|mcp|protocol|core\/session|core\/cycle)|client\/src|webview\/src)/;
/** Where the plurals are made. The client and the sidebar may import neither, and have one of their own each. */
const MAKERS = new Set([
  'server/src/util/counted.ts',
  'server/src/protocol/gain.ts',
  'client/src/counted.ts',
  'webview/src/format.ts',
]);
const COUNT = /(\.length|\.size|toLocaleString\('en-US'\)|thousands\([^)]*\))$/;

/** Riddles of the table of words in CONTRIBUTING.md, in the forms that have no other meaning. */
const RIDDLES =
  /\b(?:anew|from now on|(?:tells?|told|telling) apart|goes on\b(?! for)|cannot be told|throws what it caught|is lent|are lent)\b|\bany more[.,;:)]/i;
/** Pages whose words are still those of before. A page leaves this list when it is rewritten. */
const NOT_REWRITTEN = new Set(['docs/nights.md', 'docs/learning.md', 'docs/unguarded.md']);
const SOURCES_NOT_REWRITTEN = /^server\/src\/core\/session\/(?:learn|analyse\/unguarded)\//;

const sources = projectFiles('.ts').filter((path) => FACES.test(path));

test('no text says "verified", which hides what was shown: proven, tested, checked or unchecked', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(inAll((node) => isProse(node) && /\bverified\b/i.test(node.getText()))).toEqual([]);
});

test('no text that a person reads is a riddle', () => {
  const riddles = inAll((node) => isProse(node) && RIDDLES.test(node.getText()));
  expect(riddles.filter((place) => !SOURCES_NOT_REWRITTEN.test(place))).toEqual([]);
});

test('no page of the documentation is one', () => {
  const pages = projectFiles('.md').filter(
    (path) => /^(?:docs\/|README\.md$|ARCHITECTURE\.md$)/.test(path) && !NOT_REWRITTEN.has(path),
  );
  expect(pages.length).toBeGreaterThan(30);
  const lines = pages.flatMap((path) =>
    read(path)
      .split('\n')
      .map((line, index) => `${path}:${index + 1} ${RIDDLES.exec(withoutQuotes(line))?.[0] ?? ''}`),
  );
  expect(lines.filter((line) => !line.endsWith(' '))).toEqual([]);
});

test.each([
  ['It goes on waiting.', true],
  ['It is told apart by its name.', true],
  ['Its places are opportunities from now on.', true],
  ['It does not exist any more.', true],
  ['No more than two runs', false],
])('%s', (text, isRiddle) => {
  expect(RIDDLES.test(text)).toBe(isRiddle);
});

test('a number before a noun in the plural is not one', () => {
  expect(inAll((node) => ts.isTemplateSpan(node) && isLoosePlural(node))).toEqual([]);
});

test('plurals are made in one place', () => {
  expect(inAll((node) => ts.isConditionalExpression(node) && isPlural(node))).toEqual([]);
});

test.each([
  ['`${found.length} files left`', true],
  ["`${all.toLocaleString('en-US')} events`", true],
  ['found.length === 1 ? "one" : `${found.length} files`', false],
  ['found.length > 3 ? `${found.length} files` : ""', false],
  ['`${done} of ${found.length} files`', false],
  ['`${counted(found.length, "file")} left`', false],
])('what a loose plural is: %s', (code, isLoose) => {
  const file = ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true);
  expect(within(file).some((node) => ts.isTemplateSpan(node) && isLoosePlural(node))).toBe(isLoose);
});

function inAll(isWrong: (node: ts.Node) => boolean): string[] {
  return sources
    .filter((path) => !MAKERS.has(path))
    .flatMap((path) => {
      const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
      return within(file)
        .filter(isWrong)
        .map((node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`);
    });
}

function within(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return nodes;
}

/** The line without code and without the names of tests that it quotes. */
function withoutQuotes(line: string): string {
  return line.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, '');
}

/** Several words; one alone is an id. */
function isProse(node: ts.Node): boolean {
  const isText =
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node);
  return isText && node.text.trim().includes(' ');
}

/**
 * A count, and a noun that stays in the plural when there is one; "1 of 7 files" is right, and so is a choice by it.
 */
function isLoosePlural(span: ts.TemplateSpan): boolean {
  if (!COUNT.test(span.expression.getText()) || !/^ (more |other |new )?[a-z]+s\b/.test(span.literal.text))
    return false;
  if (/ of $/.test(before(span))) return false;
  for (let node: ts.Node = span; node.parent; node = node.parent)
    if (ts.isConditionalExpression(node) && /(===|>=?|<=?) \d/.test(node.condition.getText())) return false;
  return true;
}

function before(span: ts.TemplateSpan): string {
  const template = span.parent;
  const at = template.templateSpans.indexOf(span);
  return at === 0 ? template.head.text : template.templateSpans[at - 1]!.literal.text;
}

/** `n === 1 ? 'file' : 'files'` */
function isPlural({ condition, whenTrue, whenFalse }: ts.ConditionalExpression): boolean {
  if (!/=== 1$/.test(condition.getText()) || !ts.isStringLiteral(whenTrue) || !ts.isStringLiteral(whenFalse))
    return false;
  const [one, many] = [whenTrue.text, whenFalse.text];
  return many === `${one}s` || (one.endsWith('y') && many === one.replace(/y$/, 'ies'));
}
