// What an agent does with the tools about feedback and rules, over real pipes, and what the person decides about it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../helpers/commandLine.ts';
import { connectMcp, type McpConnection } from '../helpers/mcpClient.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

let repository: TemporaryRepository;
let mcp: McpConnection;
let person: CommandLine;

beforeAll(async () => {
  repository = await createTemporaryRepository({ 'src/a.js': 'export const a = 1;\n' });
  person = await createCommandLine(repository.dir);
  await person.decide();
  mcp = await connectMcp(repository.dir, { home: person.home });
});
afterAll(async () => {
  await mcp?.dispose();
  await person?.dispose();
  await repository?.dispose();
});

const record = (event_type: string, dimension: string, note: string) =>
  mcp.call('feedback_record', { event_type, dimension, note, session: 'mine' });
const improve = (input: object) => mcp.call('self_improve', { target_file: 'CODE', ...input });

test('an agent records, analyses, reads and notes rules; a person switches one on', async () => {
  // Many corrections do not hide the failure.
  expect((await record('tool_failure', 'tool:deploy', 'It hangs.')).structuredContent).toEqual({ recorded: true });
  for (let time = 1; time <= 21; time++) await record('user_correction', 'nesting', `Too deep, for the ${time}. time`);
  const unknown = await record('user_anger', 'nesting', 'No');
  expect(unknown.isError).toBe(true);

  const { findings, counts } = (await mcp.call('feedback_analyze')).structuredContent;
  expect(counts).toMatchObject({ tool_failure: 1, user_correction: 21 });
  expect(findings).toMatchObject([{ kind: 'user_correction', dimension: 'nesting', dealtWith: null }]);
  const failures = (await mcp.call('feedback_analyze', { query: 'failures' })).structuredContent.events;
  expect(failures).toMatchObject([{ kind: 'tool_failure', dimension: 'tool:deploy', note: 'It hangs.' }]);
  const recent = (await mcp.call('feedback_analyze', { query: 'recent' })).structuredContent.events;
  expect(recent).toHaveLength(20);
  const { tools } = (await mcp.call('feedback_analyze', { query: 'tool_stats' })).structuredContent;
  expect(tools).toMatchObject([{ dimension: 'tool:deploy', calls: 1, failures: 1 }]);
  const { events } = findings[0];

  // Nobody writes without having read, or without events that exist.
  const content = 'Return early instead of nesting.';
  expect(await refused({ action: 'apply', content, events })).toContain('needs content and version');
  expect(await refused({ action: 'apply', content, version: '1', events })).toContain('Read them first');
  const { version } = (await improve({ action: 'read' })).structuredContent;
  expect(await refused({ action: 'apply', content, version, events: [] })).toContain('needs the events that show it');
  const applied = await improve({ action: 'apply', content, version, events });
  expect(applied.content).toMatchObject([{ text: expect.stringContaining('off until the person switches it on') }]);
  // The file has changed since it was read, so the version is stale.
  const second = 'Name constants in capitals.';
  expect(await refused({ action: 'apply', content: second, version, events })).toContain('not at version');
  const updated = await improve({
    ...{ action: 'update', content: second, events },
    version: applied.structuredContent.version,
  });
  expect(updated.structuredContent).toMatchObject({ file: 'CODE', version: expect.any(String) });

  // Agents are told neither of them before a person has decided.
  expect((await mcp.call('self_improve', { action: 'list' })).structuredContent).toEqual({ rules: [] });
  const rules = (await person.json(['rules', 'list'])).value;
  expect(rules).toMatchObject([
    { file: 'CODE', text: content, state: 'off', by: 'agent' },
    { file: 'CODE', text: second, state: 'off', by: 'agent' },
  ]);
  // Whoever has started a server for agents is one.
  const byAgent = await person.run(['rules', 'on', rules[0].id]);
  expect([byAgent.code, byAgent.stderr]).toEqual([2, expect.stringContaining('is for a person')]);
  await mcp.dispose();
  expect((await person.run(['rules', 'on', rules[0].id])).code).toBe(0);
  mcp = await connectMcp(repository.dir, { home: person.home });
  expect((await mcp.call('self_improve', { action: 'list' })).structuredContent.rules).toMatchObject([
    { text: content, state: 'on' },
  ]);
  expect(await mcp.text('self_improve', { action: 'read', target_file: 'CODE' })).toContain(`- ${content}`);
});

/** The text of the refusal. */
async function refused(input: object): Promise<string> {
  const { isError, content } = await improve(input);
  expect(isError).toBe(true);
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}
