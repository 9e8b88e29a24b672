// Registers the resources that an MCP client may attach to a conversation: the self-model, opportunities, status,
// proposals and the pages of the rules.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { rules } from '../core/analysis/rules.ts';
import { renderSelfModel } from '../core/memory/renderSelfModel.ts';
import { callTool, findTool } from '../tools/callTool.ts';
import { truncate } from '../tools/bounds.ts';
import { SelfwareError } from '../util/typedError.ts';
import type { Operation } from '../core/operation.ts';
import type { McpParts } from './serverParts.ts';

/** Maximum number of tokens of the self-model. */
const MAX_MODEL_TOKENS = 20_000;

/** Registers all resources with the server. */
export function registerResources(server: McpServer, parts: McpParts): void {
  const { held, rulesDir } = parts;
  server.registerResource(
    'repository',
    'selfware://repository',
    {
      title: 'What the repository is',
      description:
        'Purpose, modules, layers, entry points, dependencies, tests, hot spots and recent changes, derived from the repository.',
      mimeType: 'text/markdown',
    },
    async (uri, { mcpReq: { signal } }) => {
      await held.refresh('index', { signal });
      const model = await (await held.session()).memory.model(signal);
      return createTextResult(uri, 'text/markdown', truncate(renderSelfModel(model), MAX_MODEL_TOKENS));
    },
  );
  server.registerResource(
    'opportunities',
    'selfware://opportunities',
    {
      title: 'Opportunities',
      description: 'The best opportunities of the repository, as the tool lists them.',
      mimeType: 'application/json',
    },
    (uri, { mcpReq: { signal } }) => callToolForResource(parts, uri, 'opportunities', {}, signal),
  );
  server.registerResource(
    'status',
    'selfware://status',
    {
      title: 'Status',
      description: 'Points, what waits for a decision, checkpoints, charter and kill switch.',
      mimeType: 'application/json',
    },
    (uri, { mcpReq: { signal } }) => callToolForResource(parts, uri, 'status', {}, signal),
  );
  server.registerResource(
    'proposal',
    new ResourceTemplate('selfware://proposals/{id}', { list: undefined }),
    { title: 'Proposal', description: 'A proposal with its verdicts, points and diff.', mimeType: 'application/json' },
    (uri, { id }, { mcpReq: { signal } }) => callToolForResource(parts, uri, 'proposal', { id: String(id) }, signal),
  );
  server.registerResource(
    'rule',
    new ResourceTemplate('selfware://rules/{id}', {
      list: async () => ({
        resources: rules.map(({ id, title, description }) => ({
          uri: `selfware://rules/${id}`,
          name: id,
          title,
          description,
          mimeType: 'text/markdown',
        })),
      }),
      complete: { id: (typed) => rules.map(({ id }) => id as string).filter((id) => id.startsWith(typed)) },
    }),
    {
      title: 'Rule',
      description: 'What a rule finds, why it matters, what its recipe does, and how to switch it off.',
      mimeType: 'text/markdown',
    },
    async (uri, { id }) => {
      // Only ids of existing rules are accepted, so that an id cannot be a path.
      const rule = rules.find((candidate) => candidate.id === id);
      if (!rule) throw new ResourceNotFoundError(uri.href);
      return createTextResult(uri, 'text/markdown', await readFile(join(rulesDir, rule.id, 'rule.md'), 'utf8'));
    },
  );
}

/**
 * The structured answer of a tool, as a resource in JSON. Throws `ResourceNotFoundError` if the tool answers with an
 * error.
 */
async function callToolForResource(
  { held, log, judgeChange }: McpParts,
  uri: URL,
  name: string,
  input: object,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const tool = findTool(name);
  if (!tool) throw new ResourceNotFoundError(uri.href);
  const operation: Operation = { signal };
  const outcome = await callTool(
    tool,
    input,
    {
      session: await held.session(),
      operation,
      author: 'client',
      consent: 'nobody',
      verifications: held.verifications,
      judgeChange,
      refresh: (kind) => held.refresh(kind, operation),
      requireWritable: async () => {},
    },
    (error) => log.write('error', `The resource ${uri.href} failed.`, error),
  );
  if ('ask' in outcome) throw new SelfwareError('internal', 'A resource asks nothing.');
  if (outcome.failed) throw new ResourceNotFoundError(uri.href, outcome.text);
  return createTextResult(uri, 'application/json', JSON.stringify(outcome.structured, null, 1));
}

/** A resource that consists of one text. */
function createTextResult(uri: URL, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}
