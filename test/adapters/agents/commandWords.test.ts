import { expect, test } from 'vitest';
import { fillPlaceholders, splitCommandLine } from '../../../server/src/adapters/agents/commandLine.ts';

test.each([
  ['agent  --go\t-x ', ['agent', '--go', '-x']],
  [`agent "a b" 'c "d"' e" "f ""`, ['agent', 'a b', 'c "d"', 'e f', '']],
  [String.raw`a\ b "c\"d" 'e\f' g\\h`, ['a b', 'c"d', String.raw`e\f`, String.raw`g\h`]],
  ['agent $(rm) `x` | y > z', ['agent', '$(rm)', '`x`', '|', 'y', '>', 'z']],
])('%s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

test.each(['', ' \n', 'agent "a', "agent 'a"])('no command line: %s', (line) => {
  expect(() => splitCommandLine(line)).toThrow(expect.objectContaining({ reason: 'usage' }));
});

test('placeholders are filled in once, and what the task says is no placeholder', () => {
  const order = { promptFile: '/home/task.md', prompt: 'Say {promptFile} and $&.', mcp: null };
  expect(fillPlaceholders(['a', '--file={promptFile}', '{prompt}', '{other}', '{mcpConfig}'], order)).toEqual([
    'a',
    '--file=/home/task.md',
    'Say {promptFile} and $&.',
    '{other}',
    '{mcpConfig}',
  ]);
  const mcp = { program: '/home/mcp', config: '/home/mcp.json' };
  expect(fillPlaceholders(['{prompt}', '{mcpConfig}', 'x="{mcpServer}"'], { ...order, mcp })).toEqual([
    'Say {promptFile} and $&.',
    '/home/mcp.json',
    'x="/home/mcp"',
  ]);
  expect(fillPlaceholders(['a'], order)).toEqual(expect.arrayContaining(['/bin/sh', '/home/task.md', 'a']));
});
