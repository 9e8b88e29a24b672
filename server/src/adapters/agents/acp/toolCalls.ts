// Collects the names of the tools that an agent reports to have called, and how the calls ended. Arguments and results
// are not collected.

import type { SessionUpdate } from '@agentclientprotocol/sdk';

/** The calls of one tool with one outcome. */
export interface ReportedCalls {
  /** The name of the tool, or the kind of the call, such as `execute`. */
  readonly tool: string;
  readonly failed: boolean;
  readonly count: number;
}

/** Name of the file in the home folder of the enclosure that holds the calls, as JSON. */
export const CALLS_FILE = 'selfware-calls.json';
/** Maximum number of different pairs of a tool and an outcome. Further ones are not counted. */
export const MAX_REPORTED_CALLS = 50;
/** Matches a title that is only the name of a tool. Other titles may contain arguments, such as a command or a path. */
export const TOOL_NAME_PATTERN = /^[A-Za-z][\w.:-]{0,59}$/;

/** Collects the calls of one conversation. */
export class ToolCallCollector {
  /** The name of the tool of each call that has not ended, by its id. */
  readonly #open = new Map<string, string>();
  readonly #counts = new Map<string, ReportedCalls>();

  addUpdate(update: SessionUpdate): void {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
    const { toolCallId, title, kind, status } = update;
    const tool = this.#open.get(toolCallId) ?? chooseName(title, kind);
    if (update.sessionUpdate === 'tool_call') this.#open.set(toolCallId, tool);
    // An update may repeat the end of a call; only the first end counts.
    if ((status !== 'completed' && status !== 'failed') || !this.#open.delete(toolCallId)) return;
    const hasFailed = status === 'failed';
    const key = `${hasFailed} ${tool}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    if (count > 1 || this.#counts.size < MAX_REPORTED_CALLS) this.#counts.set(key, { tool, failed: hasFailed, count });
  }

  /** The calls that have ended. */
  list(): readonly ReportedCalls[] {
    return [...this.#counts.values()];
  }
}

function chooseName(title: string | null | undefined, kind: string | null | undefined): string {
  if (title && TOOL_NAME_PATTERN.test(title)) return title;
  return kind && TOOL_NAME_PATTERN.test(kind) ? kind : 'other';
}
