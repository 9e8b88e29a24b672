// One writer for the terminal and one for Markdown: whatever else printed or made markup could be steered by a text of
// others.

import { expect, test } from 'vitest';
import { importsOf, projectFiles, read } from './sourceFiles.ts';

const sources = projectFiles('.ts').filter((path) => /^(server|client|webview)\/src\//.test(path));
const code = (path: string): string => read(path).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
const matching = (pattern: RegExp): string[] => sources.filter((path) => pattern.test(code(path)));

test('one module writes to standard output and standard error', () => {
  expect(matching(/process\.(stdout|stderr)\.write|(?<![\w.])console\.\w+\(|writeSync\([12],/)).toEqual([
    // In an agent's enclosure: what the agent says, for the process that has started it.
    'server/src/adapters/agents/acp/main.ts',
    // In the sandbox: what a function under comparison prints is noted.
    'server/src/adapters/harness/controlledEnvironment.ts',
    // In the sandbox: what Node's runner and uvu report of tests with mutants is dropped.
    'server/src/adapters/harness/inTests/nodeTest.ts',
    'server/src/adapters/harness/inTests/uvu.ts',
    // In the sandbox: the report goes to the process that asked for it.
    'server/src/adapters/harness/main.ts',
    // The text of a program that runs in a process of its own, whose output is read by us.
    'server/src/adapters/lancedb/probe.ts',
    'server/src/adapters/packages/relay.ts',
    'server/src/adapters/run/detached.ts',
    'server/src/adapters/sandbox/countTasks.ts',
    'server/src/adapters/system/terminal.ts',
    // Before anything is loaded, on a Node that may be too old to load it. It says nothing of a repository.
    'server/src/cli.ts',
  ]);
});

test('streams are handed to nobody but the protocols', () => {
  expect(matching(/process\.(stdout|stderr)(?!\.(write|isTTY|columns|rows|on|once)\b)/)).toEqual([
    'server/src/cli/closedPipes.ts',
    // The question that a person answers, on one line and without orders.
    'server/src/cli/person.ts',
    'server/src/main.ts',
    'server/src/mcp/serveMcp.ts',
  ]);
});

test('colours come from the writer, which knows them from those of others', () => {
  expect(sources.filter((path) => importsOf(path).includes('picocolors'))).toEqual([
    'server/src/adapters/system/terminal.ts',
  ]);
});

test('questions on a terminal are asked where their words are made safe', () => {
  const asking = sources.filter((path) => importsOf(path).includes('@clack/prompts'));
  expect(asking).toEqual([
    'server/src/cli/commands/improve.ts',
    'server/src/cli/commands/nights/acceptance.ts',
    'server/src/cli/person.ts',
  ]);
  for (const path of asking) expect(read(path)).toContain('message: ');
  for (const path of asking) expect(read(path).match(/message: (?!.*visibleLine\()/g)).toEqual(null);
});

test('whoever shows Markdown has it from its builders', () => {
  const showing = matching(
    /MarkupKind\.Markdown|new vscode\.MarkdownString|'text\/markdown'|\bmarkdown: (?!string|readonly)/,
  );
  const builders = [
    'server/src/protocol/markdown.ts',
    'server/src/core/memory/renderSelfModel.ts',
    'server/src/core/run/report/nightReport.ts',
    'server/src/core/verify/judge/judgementMarkdown.ts',
    'server/src/lsp/evidenceText.ts',
    'server/src/lsp/hoverText.ts',
    'server/src/lsp/reportText.ts',
  ];
  const without = showing.filter((path) => !importsOf(path).some((target) => builders.includes(target)));
  expect(without).toEqual(
    [
      // The name of a language.
      'server/src/core/index/patterns/definitions.ts',
      'server/src/protocol/markdown.ts',
      // Passes on a page that `reportText.ts` has made.
      'server/src/lsp/features/commands.ts',
      // The documentation of our own rules.
      'server/src/cli/writers/sarif.ts',
      // `appendText` escapes.
      'client/src/tools/agentTools.ts',
    ].toSorted(),
  );
});

test('a page that is taken as it is ships with us', () => {
  expect(matching(/\bmarkdownOfPage\(/)).toEqual([
    'server/src/lsp/features/evidence.ts',
    'server/src/protocol/markdown.ts',
  ]);
});

test('nobody escapes Markdown by themselves', () => {
  expect(matching(/replace\(\/\[\\\\`\*_/)).toEqual([]);
});
