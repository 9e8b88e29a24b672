// Lists all tools for agents. languageModelTools in package.json, the MCP server and docs/agents.md are derived from
// this list.

import * as z from 'zod';
import { applyTool, rollBackTool } from './applyTools.ts';
import { contextTool } from './context.ts';
import { feedbackAnalyzeTool, feedbackRecordTool, selfImproveTool } from './feedback.ts';
import { graphTool } from './graph.ts';
import { inboxTool } from './inbox.ts';
import { metricsTool } from './metrics.ts';
import { opportunitiesTool } from './opportunities.ts';
import { proposalTool } from './proposal.ts';
import { proposeImprovementTool, proposePatchTool, proposeTransformTool, verifyTool } from './proposeTools.ts';
import { searchTool } from './search.ts';
import { statusTool } from './status.ts';
import type { Tool } from './tool.ts';
import { verifyChangeTool } from './verifyChange.ts';

/** All tools, in the order in which agents see them. */
export const toolTable: readonly Tool[] = [
  searchTool,
  contextTool,
  graphTool,
  opportunitiesTool,
  metricsTool,
  proposePatchTool,
  proposeTransformTool,
  proposeImprovementTool,
  verifyTool,
  verifyChangeTool,
  proposalTool,
  applyTool,
  rollBackTool,
  statusTool,
  feedbackRecordTool,
  feedbackAnalyzeTool,
  selfImproveTool,
  inboxTool,
];

/** Prefix of the names of tools in VS Code, where the tools of all extensions are in one list. */
export const EDITOR_PREFIX = 'selfware_';

/** The input schema of a tool as JSON Schema, for language models. */
export function toInputSchema({ input }: Pick<Tool, 'input'>): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>;
  return schema;
}
