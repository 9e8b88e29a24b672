// Decides whether a rule in words only repeats what the configuration of the repository enforces.

import type { Enforced } from './configuredStyle.ts';
import { findDemands } from './demands.ts';

/** The reason why a rule is needless, with the files that enforce it; null if they do not enforce all of it. */
export function explainEnforced(text: string, enforced: readonly Enforced[]): string | null {
  const sources = findSources(text, enforced);
  return sources && `A rule says what no tool enforces, and this is enforced by ${sources}.`;
}

/**
 * A hint for a person whose rule is enforced already, with the files that enforce it; null if they do not enforce all
 * of it. The rule is accepted nevertheless.
 */
export function hintEnforced(text: string, enforced: readonly Enforced[]): string | null {
  const sources = findSources(text, enforced);
  return sources && `It is enforced already by ${sources}.`;
}

/** The files and settings that enforce all of a rule, as a phrase; null if they do not. */
function findSources(text: string, enforced: readonly Enforced[]): string | null {
  const demands = findDemands(text);
  const sources: string[] = [];
  for (const { subject, value } of demands) {
    const source = enforced.find((candidate) => candidate.subject === subject && candidate.value === value);
    if (!source) return null;
    sources.push(`${source.path} (${source.setting})`);
  }
  if (sources.length === 0) return null;
  return [...new Set(sources)].join(' and ');
}
