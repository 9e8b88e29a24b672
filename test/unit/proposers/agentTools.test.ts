// The task of a coding agent names the tools of Selfware's MCP server, all of them and no other.

import { expect, test } from 'vitest';
import { createAgentMessages } from '../../../server/src/core/proposers/agentPrompt.ts';
import { createAgentTools } from '../../../server/src/tools/forAgents.ts';

test('the task of an agent names each tool that its MCP server offers', () => {
  const { list } = createAgentTools(
    () => {
      throw new Error('No tool is called.');
    },
    () => undefined,
  );
  const [message] = createAgentMessages({ task: 'Do it.', demands: [], files: [], attempts: [], rounds: 0 });
  const lines = /\n\nIf you have the tools of the MCP server[^\n]*:\n([^]*?)\n\n/.exec(message!.content)?.[1] ?? '';
  const named = lines.split('\n').flatMap((line) =>
    line
      .slice(2)
      .split(/,? and |, /)
      .map((part) => part.split(' ')[0]!),
  );
  for (const { name } of list) expect(named).toContain(name);
});
