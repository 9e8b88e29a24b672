// Reads which tools an agent has called, as the program in its enclosure has written it. The agent could have written the
// file itself, so it is untrusted: names are plain, and numbers are bounded.

import { parseJsonOrNull } from '../../util/parseJson.ts';
import { isRecord } from '../../util/values/isRecord.ts';
import { readBelow } from '../files/safeRead.ts';
import { CALLS_FILE, MAX_REPORTED, TOOL_NAME, type ReportedCalls } from './acp/toolCalls.ts';

/** Maximum number of calls of one tool that count, as many as an agent may make in one conversation. */
const MAX_CALLS = 500;

/** The calls in the file in `home`, the home folder of the enclosure; none if there is no such file. */
export async function readToolCalls(home: string): Promise<readonly ReportedCalls[]> {
  const bytes = await readBelow(home, CALLS_FILE).catch(() => null);
  const list: unknown = bytes === null ? null : parseJsonOrNull(new TextDecoder().decode(bytes));
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_REPORTED).flatMap((entry: unknown): ReportedCalls[] => {
    if (!isRecord(entry)) return [];
    const { tool, failed, count } = entry;
    if (typeof tool !== 'string' || !TOOL_NAME.test(tool) || typeof failed !== 'boolean') return [];
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) return [];
    return [{ tool, failed, count: Math.min(count, MAX_CALLS) }];
  });
}
