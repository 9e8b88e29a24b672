// Selects the rules that a question to a model or an agent contains: by the file of each rule, the kind of the task,
// and the place.

import { isWithin } from '../../util/pathWithin.ts';
import type { AskedTask } from '../model/asks.ts';
import type { RuleFile } from '../model/feedback.ts';
import type { WrittenRule } from './ruleBook.ts';

/** The task of a question. */
export interface RoutedTask {
  readonly kind: AskedTask['kind'];
  /** True for an agent, which works in a copy of the repository with its own tools. */
  readonly isAgent: boolean;
  /** The files that the task is about; empty if they are unknown. Then rules about any place are included. */
  readonly paths: readonly string[];
}

/**
 * For each file of rules, a function that is true for the tasks to which it applies. A model that only answers with
 * edits uses no tools. Rules about security do not apply to tests, because tests are not shipped.
 */
const ROUTES: Readonly<Record<RuleFile, (task: RoutedTask) => boolean>> = {
  SOUL: () => true,
  USER: () => true,
  MEMORY: () => true,
  CODE: () => true,
  TOOLS: ({ isAgent }) => isAgent,
  AGENTS: ({ isAgent }) => isAgent,
  SECURITY: ({ kind }) => kind !== 'tests' && kind !== 'acceptance',
};

/** True if questions to a language model without tools contain the rule while it is on. */
export function isShownToModels({ file }: Pick<WrittenRule, 'file'>): boolean {
  return ROUTES[file]({ kind: 'opportunity', isAgent: false, paths: [] });
}

/** The rules for this task: rules that are on and apply to it, the most often violated first. */
export function selectRules(rules: readonly WrittenRule[], task: RoutedTask): readonly WrittenRule[] {
  return rules
    .filter((rule) => rule.state === 'on' && ROUTES[rule.file](task) && concernsPlace(rule.place, task.paths))
    .toSorted((a, b) => b.broken.length - a.broken.length);
}

/** True if the task may concern this place. `paths`: the files of the task; empty if they are unknown. */
function concernsPlace(place: string | null, paths: readonly string[]): boolean {
  return place === null || paths.length === 0 || paths.some((path) => isWithin(path, [place]));
}
