// Parses the parameters of a request for opportunities. Invalid fields are ignored.

import type { OpportunitiesParams, OpportunityFilter, Severity } from '#protocol/opportunities';
import { SEVERITIES } from '../../core/model.ts';

/** The parameters of a request for a page of opportunities. */
export function parseOpportunitiesParams(params: unknown): OpportunitiesParams {
  return { ...parseWindow(params), filter: parseFilter(parseFields(params)['filter']) };
}

/** The requested part of a list. Numbers that are negative or not whole are ignored. */
export function parseWindow(params: unknown): { readonly offset?: number; readonly limit?: number } {
  const { offset, limit } = parseFields(params);
  return { ...(isCount(offset) ? { offset } : {}), ...(isCount(limit) ? { limit } : {}) };
}

/** The valid fields of a filter. */
function parseFilter(value: unknown): OpportunityFilter {
  const { text, rule, severities, path, fixable, quiet } = parseFields(value);
  return {
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof rule === 'string' && rule !== '' ? { rule } : {}),
    ...(Array.isArray(severities)
      ? {
          severities: severities.filter((severity): severity is Severity =>
            (SEVERITIES as readonly unknown[]).includes(severity),
          ),
        }
      : {}),
    ...(typeof path === 'string' && path !== '' ? { path } : {}),
    ...(fixable === true ? { fixable } : {}),
    ...(quiet === true ? { quiet } : {}),
  };
}

function parseFields(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
