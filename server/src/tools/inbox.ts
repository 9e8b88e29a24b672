// Defines the tool `inbox`: it runs commands that a person has allowed for this repository, and files proposals of new
// tools, commands and skills.

import * as z from 'zod';
import { RULE_FILES } from '../core/model/feedback.ts';
import { AGENT_KINDS } from '../core/model/inbox.ts';
import type { NewInboxItem } from '../core/session/learn/inbox/inboxTypes.ts';
import { SelfwareError } from '../util/typedError.ts';
import { condenseToTokens, toOneLine, toCodeBlock } from './bounds.ts';
import { defineTool } from './tool.ts';

/** Maximum number of commands that are listed. */
const MAX_LISTED = 20;
/** Maximum number of tokens of the standard output of a command, and also of its standard error. */
const MAX_OUTPUT_TOKENS = 3_000;

const input = z.object({
  action: z.enum(['list', 'run', 'propose']).describe('list: commands that you may run. run: one of them.'),
  name: z.string().optional().describe('run: the name of the command. propose: a name for the proposal.'),
  kind: z.enum(AGENT_KINDS).optional().describe('propose: what is proposed.'),
  description: z.string().optional().describe('propose: why, in one or two sentences.'),
  command: z
    .string()
    .optional()
    .describe('propose a command: the line. It destroys nothing and stays on this machine.'),
  wish: z.string().optional().describe('propose a tool: what it should do.'),
  text: z.string().optional().describe('propose a skill: what to do, in one or two sentences.'),
  target_file: z.enum(RULE_FILES).optional().describe('propose a skill: what it is about.'),
  events: z.array(z.int().positive()).optional().describe('propose: events that show the need, from feedback_analyze.'),
});

type Input = z.output<typeof input>;

/** Lists or runs allowed commands, or files a proposal for the person. */
export const inboxTool = defineTool<Input>({
  name: 'inbox',
  title: 'Run or Propose a Command',
  summary: 'Lists and runs the commands that the person has allowed, and proposes tools, commands and skills.',
  description:
    'Commands that the person has allowed for this repository: list them, and run one by its name in a sandbox; what it writes there is discarded. If you repeat the same commands, miss a tool, or had to learn something that others should know, propose it with the events that show the need. The person decides. At most one proposal an hour; nothing is proposed twice.',
  hints: { readOnly: false, destructive: false, idempotent: false },
  needsTrust: false,
  runningText: 'Looking at commands and proposals',
  icon: '$(inbox)',
  input,
  async run(request, { session, operation }) {
    if (request.action === 'list') {
      const commands = (await session.inbox.commands())
        .slice(-MAX_LISTED)
        .map(({ name, description, command, effects }) => ({
          name,
          description: toOneLine(description),
          command: toOneLine(command, 500),
          effects,
        }));
      return { structured: { commands }, text: JSON.stringify(commands, null, 1) };
    }
    if (request.action === 'propose') {
      const { id } = await session.inbox.propose(createItem(request), operation.signal);
      return { structured: { id }, text: `Proposed as ${id}. The person decides about it.` };
    }
    const { name } = request;
    if (name === undefined) throw new SelfwareError('usage', 'run needs the name of a command.');
    const { exitCode, ended, stdout, stderr } = await session.inbox.run(name, operation);
    const output = {
      stdout: condenseToTokens(stdout, MAX_OUTPUT_TOKENS),
      stderr: condenseToTokens(stderr, MAX_OUTPUT_TOKENS),
    };
    const endText = ended === null ? `Exit code ${exitCode}.` : `It did not end on its own: ${ended}.`;
    const text = [
      endText,
      ...Object.entries(output).map(([key, part]) => (part === '' ? '' : `${key}:\n${toCodeBlock(part)}`)),
    ];
    return { structured: { exitCode, ended, ...output }, text: text.filter((part) => part !== '').join('\n') };
  },
});

/** The proposal in a request. Throws `usage` if a field is missing. */
function createItem({
  kind,
  name,
  description,
  events = [],
  command,
  wish,
  text,
  target_file: file,
}: Input): NewInboxItem {
  const createMissingError = (required: string) =>
    new SelfwareError('usage', `propose needs ${required}.`, { action: 'See the input schema of this tool.' });
  if (kind === undefined || name === undefined || description === undefined)
    throw createMissingError('kind, name and description');
  const commonFields = { name, description, events };
  if (kind === 'command') {
    if (command === undefined) throw createMissingError('command');
    return { ...commonFields, kind, command };
  }
  if (kind === 'tool') {
    if (wish === undefined) throw createMissingError('wish');
    return { ...commonFields, kind, wish };
  }
  if (text === undefined || file === undefined) throw createMissingError('text and target_file');
  return { ...commonFields, kind, file, text };
}
