// Reads the calls of tools that the program in an agent's enclosure has written to a file. The agent can write that
// file, too, so its content is checked: names must look like names of tools, and counts are limited.

import { parseJsonOrNull } from '../../util/parseJson.ts';
import { isRecord } from '../../util/values/isRecord.ts';
import { readBelow } from '../files/safeRead.ts';
import { CALLS_FILE, MAX_REPORTED_CALLS, TOOL_NAME_PATTERN, type ReportedCalls } from './acp/toolCalls.ts';

/** Upper bound of the count of one tool: the number of calls that an agent may make in one conversation. */
const MAX_CALLS = 500;

/**
 * The calls in the file in `home`, the home folder of the enclosure. None if the file is missing or does not contain a
 * list; invalid entries are skipped.
 */
export async function readToolCalls(home: string): Promise<readonly ReportedCalls[]> {
  const bytes = await readBelow(home, CALLS_FILE).catch(() => null);
  const parsed: unknown = bytes === null ? null : parseJsonOrNull(new TextDecoder().decode(bytes));
  if (!Array.isArray(parsed)) return [];
  return parsed.slice(0, MAX_REPORTED_CALLS).flatMap((entry: unknown): ReportedCalls[] => {
    if (!isRecord(entry)) return [];
    const { tool, failed, count } = entry;
    if (typeof tool !== 'string' || !TOOL_NAME_PATTERN.test(tool) || typeof failed !== 'boolean') return [];
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) return [];
    return [{ tool, failed, count: Math.min(count, MAX_CALLS) }];
  });
}
