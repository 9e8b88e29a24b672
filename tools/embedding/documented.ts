// Pairs from the text of one file: comments and docstrings with their definitions, titles of tests, telling names.

import { splitIdentifier } from '../../server/src/util/identifiers.ts';
import { beginsDefinition, codeOf, endOfBlock, isDecoration, nameIn } from './codeBlock.ts';
import { isTelling, summaryOf, type Pair, type PairKind } from './pair.ts';

const MIN_NAME_PARTS = 3;
/** A definition this deep is a detail. */
const MAX_DECORATIONS = 4;
const commentLine: Readonly<Record<string, RegExp>> = {
  slash: /^\s*(\/\/[/!]?|\/\*\*?!?|\*\/?(?!\w))/,
  hash: /^\s*#(?![![])/,
  dash: /^\s*(--+|\{-)/,
};
const families: Readonly<Record<string, string>> = {
  py: 'hash',
  rb: 'hash',
  sh: 'hash',
  bash: 'hash',
  zsh: 'hash',
  ex: 'hash',
  exs: 'hash',
  lua: 'dash',
  hs: 'dash',
};
const testTitle =
  /^\s*(?:it|test|describe|context|specify|scenario|feature|should)(?:\.\w+)*\s*\(?\s*(["'`])(.{8,160}?)\1/;
const testName =
  /\b(?:def|func|fn|fun|void|function|async Task)\s+(?:\([^)]*\)\s*)?`?(?:test_?|should_?|it_)([\w $]+?)`?\s*[(<{:]/i;

export function pairsOfFile(path: string, text: string): Pair[] {
  const lines = text.replaceAll('\r', '').split('\n');
  const pattern = commentLine[families[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'slash']!;
  const pairs: Pair[] = [];
  const add = (kind: PairKind, words: string | null, code: string | null, name: string | null): void => {
    if (words !== null && code !== null) pairs.push({ kind, words, code, path, names: name ? [name] : [] });
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (pattern.test(line)) {
      const end = endOfComment(lines, at, pattern);
      const start = behindDecorations(lines, end);
      if (start < lines.length && beginsDefinition(lines[start]!)) {
        add(
          'doc',
          summaryOf(stripped(lines.slice(at, end))),
          codeOf(lines, start, endOfBlock(lines, start)),
          nameIn(lines[start]!),
        );
      }
      at = end - 1;
      continue;
    }
    const quoted = docstringAt(lines, at);
    if (quoted) {
      const code = [
        ...lines.slice(quoted.start, quoted.open),
        ...lines.slice(quoted.close + 1, endOfBlock(lines, quoted.start)),
      ];
      add('doc', summaryOf(quoted.text), codeOf(code, 0, code.length), nameIn(lines[quoted.start]!));
      at = quoted.close;
      continue;
    }
    const title = testTitle.exec(line)?.[2] ?? spelledOut(testName.exec(line)?.[1]);
    if (title !== undefined && isTelling(title)) add('test', title, codeOf(lines, at + 1, endOfBlock(lines, at)), null);
    else if (beginsDefinition(line)) {
      const parts = splitIdentifier(nameIn(line) ?? '');
      if (parts.length >= MIN_NAME_PARTS)
        add('name', parts.join(' '), codeOf(lines, at + 1, endOfBlock(lines, at)), null);
    }
  }
  return pairs;
}

function endOfComment(lines: readonly string[], start: number, pattern: RegExp): number {
  let inside = false;
  let end = start;
  for (; end < lines.length; end++) {
    const line = lines[end]!;
    if (!inside && !pattern.test(line)) break;
    if (/\/\*|\{-/.test(line)) inside = true;
    if (/\*\/|-\}/.test(line)) inside = false;
  }
  return end;
}

function behindDecorations(lines: readonly string[], start: number): number {
  let at = start;
  while (at < lines.length && at - start < MAX_DECORATIONS && isDecoration(lines[at]!)) at++;
  return at;
}

/** Comment signs off. */
function stripped(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line.replace(/^\s*(\/\/[/!]?|\/\*\*?!?|\*\/|\*|#+|--+\s?\|?|\{-\s?\|?)\s?/, '').replace(/\s*(\*\/|-\})\s*$/, ''),
    )
    .join('\n')
    .trim();
}

/** Python writes it below the first line of the definition, Elixir above it. */
function docstringAt(
  lines: readonly string[],
  at: number,
): { start: number; open: number; close: number; text: string } | null {
  const line = lines[at]!;
  const above = /^\s*@(module)?doc\s+~?[sS]?"""/.test(line);
  let open = at;
  if (!above) {
    if (!/^\s*(async\s+def|def|class)\b/.test(line)) return null;
    while (open < lines.length && open - at < 12 && !/:\s*(#.*)?$/.test(lines[open]!)) open++;
    open++;
    while (open < lines.length && lines[open]!.trim() === '') open++;
    if (open >= lines.length || !/^\s*[rRuU]?("""|''')/.test(lines[open]!)) return null;
  }
  const quote = /"""|'''/.exec(lines[open]!)![0];
  const opening = lines[open]!.slice(lines[open]!.indexOf(quote) + 3);
  let close = open;
  if (!opening.includes(quote)) for (close = open + 1; close < lines.length && !lines[close]!.includes(quote); close++);
  if (close >= lines.length) return null;
  const inner =
    close === open
      ? opening.slice(0, opening.indexOf(quote))
      : [opening, ...lines.slice(open + 1, close), lines[close]!.slice(0, lines[close]!.indexOf(quote))].join('\n');
  if (!above) return { start: at, open, close, text: inner.trim() };
  const start = behindDecorations(lines, close + 1);
  return start < lines.length && beginsDefinition(lines[start]!)
    ? { start, open: start, close: start - 1, text: inner.trim() }
    : null;
}

function spelledOut(name: string | undefined): string | undefined {
  return name === undefined ? undefined : splitIdentifier(name).join(' ');
}
