// The types of the parts of the MCP server.

import type { Log } from '../core/ports/system.ts';
import type { HeldSession } from './heldSession.ts';

export interface McpParts {
  readonly version: string;
  readonly rulesDir: string;
  readonly log: Log;
  readonly held: HeldSession;
}
