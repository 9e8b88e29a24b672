// Defines the services that the MCP server uses.

import type { Log } from '../core/ports/system.ts';
import type { ToolCall } from '../tools/tool.ts';
import type { HeldSession } from './lastingSession.ts';

/** The services that tools, resources and prompts use. */
export interface McpParts {
  readonly version: string;
  readonly rulesDir: string;
  readonly log: Log;
  readonly held: HeldSession;
  readonly judgeChange: ToolCall['judgeChange'];
}
