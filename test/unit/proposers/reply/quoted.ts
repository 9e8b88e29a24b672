// Replies that quote a place well or badly, and what is to become of them.

import type { ReplyTarget } from '../../../../server/src/core/proposers/reply/read.ts';

export interface Case {
  readonly what: string;
  readonly file?: string;
  readonly reply: string;
  /** The text of `a.ts` afterwards; a pattern is the reason of a refusal. */
  readonly ends: string | RegExp;
  readonly finished?: boolean;
  readonly target?: ReplyTarget;
  readonly path?: string;
}

export const TWICE = 'let a = 1;\nlet b = 2;\nlet a = 1;\n';
export const CALLS = "log('one');\nif (names !== x) {\n  run(names, x);\n}\n";
export const edit = (search: string, replace: string, file = 'a.ts') =>
  JSON.stringify({ description: 'd', edits: [{ file, search, replace }] });
export const block = (search: string, replace: string, file = 'a.ts') =>
  `${file}\n<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
export const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch\n`;

export const QUOTED: readonly Case[] = [
  // One place, or none.
  {
    what: 'a search text that is there twice',
    file: TWICE,
    reply: edit('let a = 1;', 'let a = 3;'),
    ends: /more than once/,
  },
  {
    what: 'a block that is there twice',
    file: TWICE,
    reply: block('let a = 1;\n', 'let a = 3;\n'),
    ends: /more than once/,
  },
  {
    what: 'a hunk that is there twice',
    file: TWICE,
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -3 +3 @@\n-let a = 1;\n+let a = 3;\n',
    ends: /more than once/,
  },
  {
    what: 'two places told apart by a line beside them',
    file: TWICE,
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -9 +9 @@\n let b = 2;\n-let a = 1;\n+let a = 3;\n',
    ends: 'let a = 1;\nlet b = 2;\nlet a = 3;\n',
  },
  {
    what: 'two places told apart by the line above',
    file: TWICE,
    reply: patch('*** Update File: a.ts\n@@ let b = 2;\n-let a = 1;\n+let a = 3;'),
    ends: 'let a = 1;\nlet b = 2;\nlet a = 3;\n',
  },
  {
    what: 'a line above that is there twice',
    file: TWICE,
    reply: patch('*** Update File: a.ts\n@@ let a = 1;\n-let b = 2;\n+let b = 3;'),
    ends: /above the change is in the file more than once/,
  },
  {
    what: 'a line above that is not there',
    file: TWICE,
    reply: patch('*** Update File: a.ts\n@@ let c = 1;\n-let b = 2;\n+let b = 3;'),
    ends: /above the change is not in the file/,
  },
  {
    what: 'a search text that is almost there',
    file: CALLS,
    reply: edit("log('two');", "log('three');"),
    ends: /not in the file/,
  },
  {
    what: 'one that differs in a number',
    file: 'const a = 10;\n',
    reply: edit('const a = 100;', 'const a = 5;'),
    ends: /not in the file/,
  },
  {
    what: 'what is written already',
    file: 'let b = 2;\n',
    reply: block('let b = 1;\n', 'let b = 2;\n'),
    ends: /in the file already/,
  },
  { what: 'a part of a line', file: CALLS, reply: edit("'one'", "'two'"), ends: CALLS.replace('one', 'two') },
  { what: 'a part of a line that is there twice', file: CALLS, reply: edit('names', 'all'), ends: /more than once/ },
  {
    what: 'no search text',
    file: CALLS,
    reply: JSON.stringify({ edits: [{ file: 'a.ts', search: '  ', replace: 'x' }] }),
    ends: /search text is empty/,
  },
  { what: 'no change', file: CALLS, reply: edit("log('one');", "log('one');"), ends: /same as its search text/ },
  { what: 'a file that is not there', reply: edit('a', 'b', 'b.ts'), ends: /does not exist/ },
  {
    what: 'two edits of one file',
    file: TWICE,
    reply: JSON.stringify({
      edits: [
        { file: 'a.ts', search: 'let b = 2;', replace: 'let b = 4;' },
        { file: 'a.ts', search: 'let b = 2;\nlet a = 1;', replace: 'x' },
      ],
    }),
    ends: /overlap/,
  },
  {
    what: 'two edits side by side',
    file: 'a\nb\nc\n',
    reply: block('a\n', 'A\n') + block('c\n', 'C\n'),
    ends: 'A\nb\nC\n',
  },
  {
    what: 'a block for a second place without its path',
    file: 'a\nb\nc\n',
    reply: `${block('a\n', 'A\n')}<<<<<<< SEARCH\nc\n=======\nC\n>>>>>>> REPLACE\n`,
    ends: 'A\nb\nC\n',
  },

  // Lines that differ in their line ends, or in a missing one.
  {
    what: 'a text that is there twice, the second time without a line end',
    file: 'a\na',
    reply: edit('a\n', 'b\n'),
    ends: /more than once/,
  },
  {
    what: 'a text that is there twice, with different line ends',
    file: 'a\r\nb\na\nb\n',
    reply: edit('a\nb', 'c'),
    ends: /more than once/,
  },
  {
    what: 'a text that begins with a line break between a carriage return and its line feed',
    file: 'a\na\n\r\nb\n',
    reply: edit('\nb\n', ''),
    ends: 'a\na\n',
  },
  {
    what: 'the first of several equal lines with different line ends',
    file: 'a\r\na\na',
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,2 @@\n-a\n a\n a\n\\ No newline at end of file\n',
    ends: 'a\na',
  },
  {
    what: 'the last line, which has no line end, after one with a carriage return',
    file: 'a\nb\r\nc',
    reply: block('b\nc\n', 'b\n'),
    ends: 'a\nb',
  },

  // What tokenisers and typesetters do.
  {
    what: 'curly quotes',
    file: CALLS,
    reply: edit('log(\u2018one\u2019);', 'log(\u2018two\u2019);'),
    ends: CALLS.replace('one', 'two'),
  },
  {
    what: 'curly quotes that the file has',
    file: "say('\u201Cone\u201D');\n",
    reply: edit("say('\u201Cone\u201D');", "say('\u201Ctwo\u201D');"),
    ends: "say('\u201Ctwo\u201D');\n",
  },
  {
    what: 'a long dash',
    file: 'let a = b - c;\nx\n',
    reply: block('let a = b \u2013 c;\n', 'let a = c \u2013 b;\n'),
    ends: 'let a = c - b;\nx\n',
  },
  {
    what: 'a blank that does not break',
    file: 'let a = 1;\n',
    reply: block('let\u00A0a = 1;\n', 'let a = 2;\n'),
    ends: 'let a = 2;\n',
  },
  {
    what: 'a lost blank before punctuation',
    file: CALLS,
    reply: block('if (names!== x) {\n  run(names, x);\n', 'if (names!== x) {\n  run(x);\n'),
    ends: CALLS.replace('run(names, x)', 'run(x)'),
  },
  {
    what: 'a lost blank between words',
    file: 'return typeof x;\n',
    reply: block('returntypeof x;\n', 'return x;\n'),
    ends: /not in the file/,
  },
  { what: 'nothing but spacing', file: 'f( a );\n', reply: block('f( a );\n', 'f(a);\n'), ends: 'f(a);\n' },
  {
    what: 'lines around that the reply indents wrongly',
    file: 'if (a) {\n    b();\n    c();\n}\n',
    reply: block('  b();\n  c();\n', '  b();\n  d();\n  c();\n'),
    ends: 'if (a) {\n    b();\n    d();\n    c();\n}\n',
  },
  {
    what: 'an indentation that fits no rule',
    file: '  a();\n      b();\n',
    reply: block('a();\n b();\n', 'a();\n c();\n'),
    ends: /not in the file/,
  },
  {
    what: 'two places that differ in indentation alone',
    file: '  a();\n    a();\n',
    reply: block('a();\n', 'b();\n'),
    ends: /more than once/,
  },

  // Whole lines.
  { what: 'a line that goes', file: 'a\nb\nc\n', reply: block('b\n', ''), ends: 'a\nc\n' },
  { what: 'the last line, which has no line end', file: 'a\nb', reply: block('b\n', 'c\nd\n'), ends: 'a\nc\nd' },
  {
    what: 'a line after the last one, which has no line end',
    file: 'a\nb',
    reply: patch('*** Update File: a.ts\n@@\n b\n+c'),
    ends: 'a\nb\nc',
  },
  {
    what: 'an empty line between',
    file: 'a\n\nb\n',
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n',
    ends: 'a\n\nc\n',
  },
  {
    what: 'a removed line that begins with dashes',
    file: '-- a\nb\n',
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1 @@\n--- a\n b\n',
    ends: 'b\n',
  },
  {
    what: 'the mark of a missing line end',
    file: 'a\nb',
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n',
    ends: 'a\nc',
  },
  {
    what: 'a hunk that quotes nothing',
    file: 'a\n',
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n+b\n',
    ends: /quotes no line/,
  },
  {
    what: 'a hunk without a change',
    file: 'a\nb\n',
    reply: '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\n b\n',
    ends: /changes nothing/,
  },
  {
    what: 'a renamed file',
    file: 'a\n',
    reply: 'diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n--- a/a.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-a\n+b\n',
    ends: /renames a file/,
  },
  {
    what: 'a patch that moves a file',
    file: 'a\n',
    reply: patch('*** Update File: a.ts\n*** Move to: b.ts\n@@\n-a\n+b'),
    ends: /may not do/,
  },
];
