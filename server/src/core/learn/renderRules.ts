// Renders the rules of a repository as Markdown.

import type { RuleFile, TrialOutcome } from '../model/feedback.ts';
import { formatCount } from '../../util/counted.ts';
import { formatIsoDay } from '../../util/isoDay.ts';
import type { WrittenRule } from './ruleBook.ts';
import { isShownToModels } from './ruleRoutes.ts';

/** Maximum number of corrections whose dates the line of a rule names. */
const MAX_NAMED = 5;

/** The rules of a file that are on, as Markdown, with the dates of their repetitions and violations. */
export function renderRules(rules: readonly WrittenRule[], file: RuleFile): string {
  const activeRules = rules.filter((rule) => rule.file === file && rule.state === 'on');
  return `# ${file}\n\n${activeRules.map((rule) => `- ${formatRuleLine(rule)}\n`).join('')}`;
}

/** The parts of a rule that are printed in its line. */
type ShownRule = Pick<WrittenRule, 'text' | 'place' | 'dates' | 'broken'>;

/** One line: the text of a rule with its place, and the number and dates of its repetitions and violations. */
export function formatRuleLine({ text, place, dates, broken }: ShownRule): string {
  const placeText = place === null ? '' : ` (About ${place}.)`;
  const days = [...new Set(dates.map(formatIsoDay))].join(', ');
  const repetitionNote = dates.length < 2 ? '' : ` (Broken again; noted ${dates.length} times: ${days}.)`;
  if (broken.length === 0) return text + placeText + repetitionNote;
  const times = [...new Set(broken.slice(-MAX_NAMED).map(({ at }) => formatIsoDay(at)))].join(', ');
  const timesText = broken.length === 1 ? 'once' : formatCount(broken.length, 'time');
  return `${text}${placeText}${repetitionNote} (Important: corrected ${timesText} although this rule was on: ${times}.)`;
}

const TRIAL_TEXTS: Readonly<Record<TrialOutcome, string>> = {
  helpful: 'tried: helpful',
  notWorse: 'tried: not worse',
  harmful: 'tried: harmful',
  unknown: 'tried: effect unknown',
};

/** The result of the trial of a rule in a few words. */
export function describeTrialState({ file, trial }: Pick<WrittenRule, 'file' | 'trial'>): string {
  if (trial !== null) return TRIAL_TEXTS[trial.outcome];
  return isShownToModels({ file }) ? 'not tried' : 'cannot be tried';
}
