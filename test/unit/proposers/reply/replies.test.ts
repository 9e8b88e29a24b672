// Replies as models write them, good and bad: each is applied in the one place that it means, or refused with a reason.

import { expect, test } from 'vitest';
import { readReply, resolveEdits, type Target } from '../../../../server/src/core/proposers/reply/read.ts';

interface Case {
  readonly what: string;
  readonly file?: string;
  readonly reply: string;
  /** The text of `a.ts` afterwards; a pattern is the reason of a refusal. */
  readonly ends: string | RegExp;
  readonly finished?: boolean;
  readonly target?: Target;
  readonly path?: string;
}

const TWICE = 'let a = 1;\nlet b = 2;\nlet a = 1;\n';
const CALLS = "log('one');\nif (names !== x) {\n  run(names, x);\n}\n";
const edit = (search: string, replace: string, file = 'a.ts') =>
  JSON.stringify({ description: 'd', edits: [{ file, search, replace }] });
const block = (search: string, replace: string, file = 'a.ts') =>
  `${file}\n<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
const patch = (body: string) => `*** Begin Patch\n${body}\n*** End Patch\n`;

const CASES: readonly Case[] = [
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
    reply: block('a\n', 'A\n') + '<<<<<<< SEARCH\nc\n=======\nC\n>>>>>>> REPLACE\n',
    ends: 'A\nb\nC\n',
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
    ends: /to be moved/,
  },

  // New and whole files.
  { what: 'a new file', reply: JSON.stringify({ edits: [{ file: 'a.ts', content: 'x\n' }] }), ends: 'x\n' },
  { what: 'a new file as a block', reply: block('', 'x\n'), ends: 'x\n' },
  { what: 'a new file as a patch', reply: patch('*** Add File: a.ts\n+x\n+'), ends: 'x\n\n' },
  { what: 'a new file as a diff', reply: '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+x\n+y\n', ends: 'x\ny\n' },
  { what: 'a new file as a fence below its path', reply: '`a.ts`\n\n```ts\nx\n```\n', ends: 'x\n' },
  { what: 'a new file as a fence that names it', reply: '```ts a.ts\nx\n```\n', ends: 'x\n' },
  {
    what: 'a whole file with carriage returns',
    file: 'a\r\nb\r\n',
    reply: '**a.ts**\n```\na\nc\n```\n',
    ends: 'a\r\nc\r\n',
  },
  {
    what: 'a whole file that leaves code out',
    file: 'a\nb\n',
    reply: 'a.ts\n```ts\na\n// ... rest of the code\n```\n',
    ends: /leaves out a part/,
  },
  { what: 'a file that is given twice', reply: 'a.ts\n```\nx\n```\na.ts\n```\ny\n```\n', ends: /a\.ts twice/ },
  {
    what: 'a file as a whole and in part',
    file: 'a\n',
    reply: JSON.stringify({
      edits: [
        { file: 'a.ts', content: 'x' },
        { file: 'a.ts', search: 'a', replace: 'b' },
      ],
    }),
    ends: /no other edit/,
  },
  {
    what: 'a call that appends',
    file: 'a',
    reply: JSON.stringify({ name: 'append_to_file', arguments: { path: 'a.ts', text: 'b' } }),
    ends: 'a\nb\n',
  },
  {
    what: 'an edit that appends',
    file: 'a\r\n',
    reply: JSON.stringify({ edits: [{ file: 'a.ts', append: 'b\nc' }] }),
    ends: 'a\r\nb\r\nc\r\n',
  },
  {
    what: 'a function',
    file: 'x\nfunction f() {\n  return 1;\n}\ny\n',
    reply: 'Here:\n```ts\nfunction f() {\n  return 2;\n}\n```\n',
    target: { file: 'a.ts', text: 'function f() {\n  return 1;\n}' },
    ends: 'x\nfunction f() {\n  return 2;\n}\ny\n',
  },
  {
    what: 'a method that is given without its indentation',
    file: 'class C {\n  f() {\n    return 1;\n  }\n}\n',
    reply: '```ts\nf() {\n  return 2;\n}\n```\n',
    target: { file: 'a.ts', text: '  f() {\n    return 1;\n  }' },
    ends: 'class C {\n  f() {\n    return 2;\n  }\n}\n',
  },
  {
    what: 'two functions where one was asked for',
    file: 'f\n',
    reply: '```\nf\n```\n```\ng\n```\n',
    target: { file: 'a.ts', text: 'f' },
    ends: /more than one piece/,
  },

  // What a provider or a model does not finish.
  {
    what: 'a reply that ended at a limit',
    file: CALLS,
    reply: edit("'one'", "'two'"),
    finished: false,
    ends: /cut off/,
  },
  { what: 'JSON that does not end', file: CALLS, reply: edit("'one'", "'two'").slice(0, -3), ends: /cut off/ },
  {
    what: 'a block that does not end',
    file: CALLS,
    reply: block("log('one');\n", "log('two');\n").slice(0, -16),
    ends: /cut off/,
  },
  {
    what: 'a patch that does not end',
    file: CALLS,
    reply: "*** Begin Patch\n*** Update File: a.ts\n@@\n-log('one');\n+log('two');",
    ends: /cut off/,
  },
  { what: 'a fence that does not end', reply: 'a.ts\n```ts\nx\n', ends: /cut off/ },
  {
    what: 'a call that does not end',
    file: 'a\n',
    reply: '<function=edit>\n<parameter=path>a.ts</parameter>',
    ends: /cut off/,
  },
  {
    what: 'a second block that does not end',
    file: 'a\nb\n',
    reply: block('a\n', 'A\n') + 'a.ts\n<<<<<<< SEARCH\nb\n=======\n',
    ends: /cut off/,
  },

  // What has no single meaning.
  { what: 'prose', file: 'a\n', reply: 'You should use `find` instead.', ends: /no edit/ },
  { what: 'nothing', file: 'a\n', reply: '', ends: /no edit/ },
  { what: 'a fence without a path', file: 'a\n', reply: '```ts\nb\n```', ends: /no edit/ },
  { what: 'two answers', file: 'a\n', reply: `${edit('a', 'b')}\nOr better:\n${edit('a', 'c')}`, ends: /two answers/ },
  {
    what: 'two patches',
    file: 'a\n',
    reply: patch('*** Update File: a.ts\n@@\n-a\n+b') + patch('*** Update File: a.ts\n@@\n-a\n+c'),
    ends: /two patches/,
  },
  { what: 'marks within a block', file: 'a\n', reply: block('a\n=======\nb\n', 'c\n'), ends: /marks within/ },
  {
    what: 'a list of edits',
    file: 'a\n',
    reply: JSON.stringify([{ file: 'a.ts', search: 'a', replace: 'b' }]),
    ends: 'b\n',
  },
  {
    what: 'a list of edits below their file',
    file: 'a\nb\n',
    reply: JSON.stringify({
      file: 'a.ts',
      edits: [
        { search: 'a', replace: 'c' },
        { old_string: 'b', new_string: 'd' },
      ],
    }),
    ends: 'c\nd\n',
  },
  { what: 'an edit that is no object', file: 'a\n', reply: '{"edits": ["a"]}', ends: /not an object/ },
  {
    what: 'an edit without texts',
    file: 'a\n',
    reply: '{"edits": [{"file": "a.ts"}]}',
    ends: /neither search and replace/,
  },
  {
    what: 'calls that only read',
    file: 'a\n',
    reply: JSON.stringify({ name: 'read_file', arguments: { path: 'a.ts' } }),
    ends: /no edit/,
  },
  {
    what: 'a patch in a call',
    file: 'a\n',
    reply: JSON.stringify({ name: 'apply_patch', arguments: { input: patch('*** Update File: a.ts\n@@\n-a\n+b') } }),
    ends: 'b\n',
  },
  {
    what: 'a name of every object',
    file: 'a\n',
    reply: '{"edits": [{"file": "constructor", "search": "a", "replace": "b"}]}',
    ends: /constructor does not exist/,
  },
  {
    what: 'code that speaks of edits',
    reply: 'a.ts\n```ts\nconst answer = { "edits": 1 };\n```\n',
    ends: 'const answer = { "edits": 1 };\n',
  },

  // Paths.
  ...[
    '../a.ts',
    '/etc/passwd',
    'C:/a.ts',
    'src/../../a.ts',
    '.git/config',
    'src/.GIT/hooks/x',
    '..\\a.ts',
    'a\0.ts',
    'src//a.ts',
  ].map(
    (path): Case => ({
      what: `the path ${JSON.stringify(path)}`,
      reply: JSON.stringify({ edits: [{ file: path, content: 'x' }] }),
      ends: /not a path within/,
    }),
  ),
  { what: 'a path with a dot before it', file: 'a\n', reply: edit('a', 'b', './a.ts'), ends: 'b\n' },
];

test.each(CASES.map((one) => [one.what, one] as const))(
  '%s',
  (_what, { file, reply, ends, finished = true, target, path = 'a.ts' }) => {
    const read = readReply(reply, finished, target);
    const outcome =
      'refused' in read ? read : resolveEdits(read.edits, (asked) => (asked === path ? (file ?? null) : null));
    const told = 'refused' in outcome ? outcome.refused : outcome.edits.map(({ after }) => after).join('');
    if (typeof ends === 'string') expect(told).toBe(ends);
    else expect(told).toMatch(ends);
  },
);
