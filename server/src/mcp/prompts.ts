// Registers the prompts that a person can choose in an MCP client. They are instructions for the language model.

import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { toOneLine } from '../tools/bounds.ts';

/** Maximum length of the goal that a person enters, in UTF-16 code units. */
const MAX_GOAL_CHARACTERS = 4_000;

/** Adds the prompts to the server. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'change-safely',
    {
      title: 'Change code safely',
      description: 'Makes a change by proposals that go through the checks before anything is written.',
      argsSchema: z.object({ goal: z.string().min(1).max(MAX_GOAL_CHARACTERS).describe('What is to be changed.') }),
    },
    ({ goal }) =>
      createUserMessage([
        `Goal: ${goal}`,
        'Work with the tools of Selfware, in this order:',
        '1. context with the goal as the task; search and graph (impact, tests) for what you still have to know.',
        '2. propose_patch with the smallest edits that reach the goal, tests included where they lack.',
        '3. Read the verdicts. Where a check failed, mend the edits and propose again, at most three times; then tell me what stands in the way.',
        '4. When it has passed, tell me what changes, how strong the proof is (its strength) and what is unknown, then call apply. I decide.',
      ]),
  );
  server.registerPrompt(
    'improve',
    {
      title: 'Improve the repository',
      description: 'Mends the best opportunities, one change at a time, each through the checks.',
      argsSchema: z.object({
        where: z.string().max(1000).optional().describe('A file or folder; without it the whole repository.'),
      }),
    },
    ({ where }) =>
      createUserMessage([
        `Improve ${where === undefined || where === '' ? 'this repository' : `\`${toOneLine(where)}\``} with the tools of Selfware:`,
        '1. status, then opportunities. Prefer those of high impact; those with `fixable` are mended by propose_improvement, the others by your own edits in propose_patch.',
        '2. One opportunity at a time. Call apply for each proposal that passed, say its strength, and leave the decision to me.',
        '3. Stop after three changes, or when apply was declined, and tell me the points before and after.',
      ]),
  );
}

/** A prompt with one message of the user. */
function createUserMessage(lines: readonly string[]) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: lines.join('\n') } }] };
}
