// Parses the parameters of requests to search the code, and for context packs.

import { allocations } from '../core/memory/allocations.ts';
import { SelfwareError } from '../util/typedError.ts';
import { isObject } from './commands/commandArguments.ts';
import type { TaskType } from '../core/memory/contextPack.ts';

/** Number of results if the request has no `top`. */
const DEFAULT_TOP = 10;
/** Maximum number of results of a request. */
const MAX_TOP = 200;

/** Parses a search request. Throws `usage` with a sentence about the problem. */
export function parseSearchParams(params: unknown): {
  readonly query: string;
  readonly top: number;
  readonly uri: string | null;
} {
  const fields = requireObject(params);
  const { query, top = DEFAULT_TOP } = fields;
  if (typeof query !== 'string') throw new SelfwareError('usage', 'query is a text.');
  if (!Number.isInteger(top) || (top as number) < 1 || (top as number) > MAX_TOP)
    throw new SelfwareError('usage', `top must be a whole number from 1 to ${MAX_TOP}.`);
  return { query, top: top as number, uri: readUri(fields) };
}

/** Parses a request for a context pack. Throws `usage` with a sentence about the problem. */
export function parseContextParams(params: unknown): {
  readonly task: string;
  readonly taskType: TaskType;
  readonly budget?: number;
  readonly uri: string | null;
} {
  const fields = requireObject(params);
  const { task, taskType = 'SelfImprovement', budget } = fields;
  if (typeof task !== 'string') throw new SelfwareError('usage', 'task is a text.');
  if (typeof taskType !== 'string' || !Object.hasOwn(allocations, taskType))
    throw new SelfwareError('usage', `taskType must be one of ${Object.keys(allocations).join(', ')}.`);
  if (budget !== undefined && !(Number.isInteger(budget) && (budget as number) > 0))
    throw new SelfwareError('usage', 'budget must be a whole number of tokens.');
  return {
    task,
    taskType: taskType as TaskType,
    ...(budget === undefined ? {} : { budget: budget as number }),
    uri: readUri(fields),
  };
}

function requireObject(params: unknown): Record<string, unknown> {
  if (!isObject(params)) throw new SelfwareError('usage', 'The parameters must be an object.');
  return params;
}

function readUri({ uri }: Record<string, unknown>): string | null {
  if (uri === undefined || uri === null) return null;
  if (typeof uri !== 'string') throw new SelfwareError('usage', 'uri is a text.');
  return uri;
}
