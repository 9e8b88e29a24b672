// Replies as models write them, good and bad: each is applied in the one place that it means, or refused with a reason.

import { expect, test } from 'vitest';
import { readReply } from '../../../../server/src/core/proposers/reply/read.ts';
import { resolveEdits } from '../../../../server/src/core/proposers/reply/resolve.ts';
import { block, CALLS, edit, patch, QUOTED, type Case } from './quoted.ts';

const CASES: readonly Case[] = [
  ...QUOTED,

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
    target: { file: 'a.ts', name: 'f', text: 'function f() {\n  return 1;\n}' },
    ends: 'x\nfunction f() {\n  return 2;\n}\ny\n',
  },
  {
    what: 'a method that is given without its indentation',
    file: 'class C {\n  f() {\n    return 1;\n  }\n}\n',
    reply: '```ts\nf() {\n  return 2;\n}\n```\n',
    target: { file: 'a.ts', name: 'f', text: '  f() {\n    return 1;\n  }' },
    ends: 'class C {\n  f() {\n    return 2;\n  }\n}\n',
  },
  {
    what: 'a call where a function was asked for',
    file: 'x\nfunction f() {\n  return 1;\n}\ny\n',
    reply: 'It prints:\n```ts\nconsole.log(f());\n```\n',
    target: { file: 'a.ts', name: 'f', text: 'function f() {\n  return 1;\n}' },
    ends: /does not declare f/,
  },
  {
    what: 'an empty fence where a function was asked for',
    file: 'x\nfunction f() {\n  return 1;\n}\ny\n',
    reply: '```ts\n```\n',
    target: { file: 'a.ts', name: 'f', text: 'function f() {\n  return 1;\n}' },
    ends: /does not declare f/,
  },
  {
    what: 'two functions where one was asked for',
    file: 'f\n',
    reply: '```\nf\n```\n```\ng\n```\n',
    target: { file: 'a.ts', name: 'f', text: 'f' },
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
    reply: `${block('a\n', 'A\n')}a.ts\n<<<<<<< SEARCH\nb\n=======\n`,
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
      'refused' in read
        ? read
        : resolveEdits(
            read.edits,
            (asked) => (asked === path ? (file ?? null) : null),
            () => 'current',
          );
    const told = 'refused' in outcome ? outcome.refused : outcome.edits.map(({ after }) => after).join('');
    if (typeof ends === 'string') expect(told).toBe(ends);
    else expect(told).toMatch(ends);
  },
);
