// Says which rules are told for which task: by the file of the rule, the kind of the task, and the place.

import { isWithin } from '../../util/within.ts';
import type { AskedTask } from '../model/asks.ts';
import type { RuleFile } from '../model/feedback.ts';
import type { WrittenRule } from './ruleBook.ts';

/** The task that is asked about. */
export interface RoutedTask {
  readonly kind: AskedTask['kind'];
  /** True for an agent, which works in a copy of the repository with tools of its own. */
  readonly isAgent: boolean;
  /** The files that the task is about; empty = unknown, and then rules about places are told, too. */
  readonly paths: readonly string[];
}

/** What a model answers with edits alone says nothing about tools, and a test ships no code. */
const ROUTES: Readonly<Record<RuleFile, (task: RoutedTask) => boolean>> = {
  SOUL: () => true,
  USER: () => true,
  MEMORY: () => true,
  CODE: () => true,
  TOOLS: ({ isAgent }) => isAgent,
  AGENTS: ({ isAgent }) => isAgent,
  SECURITY: ({ kind }) => kind !== 'tests' && kind !== 'acceptance',
};

/** The rules that are told for this task: those that are on and belong to it. Rules that were broken come first. */
export function rulesFor(rules: readonly WrittenRule[], task: RoutedTask): readonly WrittenRule[] {
  return rules
    .filter((rule) => rule.state === 'on' && ROUTES[rule.file](task) && isThere(rule.place, task.paths))
    .toSorted((a, b) => b.broken.length - a.broken.length);
}

function isThere(place: string | null, paths: readonly string[]): boolean {
  return place === null || paths.length === 0 || paths.some((path) => isWithin(path, [place]));
}
