// Whatever somebody writes into a name, a title or a message: no image, no link, no HTML and no control character comes
// of it.

import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { expect, test } from 'vitest';
import {
  fencedBlock,
  codeSpan,
  joinMarkdown,
  joinLines,
  link,
  md,
  tableRow,
  removeMarkup,
} from '../../../server/src/protocol/markdown.ts';

/** What a hostile text is likely to be made of. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '``',
        '```',
        '![x](https://evil.example/a.png)',
        '[',
        '](',
        ')',
        '<img src=x>',
        '<b>',
        '<!--',
        '-->',
        '|',
        '\\',
        '\\|',
        '\n',
        '\r\n',
        '\n\n',
        '# ',
        '> ',
        '- ',
        '1. ',
        '* ',
        '_',
        '**',
        '~~',
        '&#x202e;',
        '&lt;',
        '\u202e',
        '\u001b[2J',
        '\u0007',
        '\u009b31m',
        'https://evil.example',
        'www.evil.example',
        'a@evil.example',
        '[a]: https://evil.example',
        '$x$',
        '    ',
        '\t',
        'words',
        '===',
        '---',
      ),
      fc.string({ maxLength: 6 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function kindsIn(source: string): string[] {
  const kinds: string[] = [];
  marked.walkTokens(marked.lexer(source, { gfm: true }), (token: Token) => void kinds.push(token.type));
  return kinds;
}

const places: Readonly<Record<string, (text: string) => string>> = {
  'in a sentence': (text) => md`Before ${text} after.`.toString(),
  'at the beginning of a line': (text) => joinLines(['One', '', text, '', 'Two']).toString(),
  'in a heading': (text) => md`# ${text}`.toString(),
  'in bold': (text) => md`**${text}** is it`.toString(),
  'in a list': (text) => joinLines([md`- ${text}`, md`- ${text}`]).toString(),
  'as code': (text) => md`Before ${codeSpan(text)} after.`.toString(),
  'as a block': (text) => joinLines(['One', fencedBlock(text), 'Two']).toString(),
  'in a table': (text) => joinLines([md`| a | b |`, md`|---|---|`, tableRow(text, codeSpan(text))]).toString(),
};

test.each(Object.keys(places))('no text acts: %s', (place) => {
  fc.assert(
    fc.property(hostile, (text) => {
      const source = places[place]!(text);
      expect(kindsIn(source).filter((kind) => ['image', 'link', 'html', 'def'].includes(kind))).toEqual([]);
      expect(source).not.toMatch(RAW);
    }),
    { numRuns: 400 },
  );
});

test('a text in a table adds no row and no cell', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [table] = marked.lexer(places['in a table']!(text));
      expect(table).toMatchObject({ type: 'table', rows: [[{}, {}]] });
    }),
    { numRuns: 400 },
  );
});

test('what is whole stays readable', () => {
  expect(String(md`${'Remove `x` of a_b and _c_'}`)).toBe('Remove `x` of a_b and \\_c\\_');
  expect(String(codeSpan('a`b'))).toBe('``a`b``');
  expect(String(tableRow('a|b', codeSpan('c|d')))).toBe('| a\\|b | `c\\|d` |');
  expect(String(link('rule', 'https://example.com/a'))).toBe('[rule](https://example.com/a)');
  expect(String(link('rule', 'command:evil'))).toBe('rule');
  expect(removeMarkup(joinMarkdown([md`**${'a*b'}** (${link('rule', 'file:///a.md')})`], ''))).toBe('a*b (rule)');
});
