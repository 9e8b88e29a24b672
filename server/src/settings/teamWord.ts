// Decides which settings a repository may contain: those that do not affect proof, and stricter proof than the person
// requires. Never less strict proof.

import type { Settings } from './schema.ts';

/** Least strict first. */
const PROBATION_ORDER: readonly Settings['apply.probation'][] = ['points', 'checks', 'always'];

/**
 * Computes the stricter value of a person's and a repository's setting, for settings that determine how a change is
 * proven or rolled back.
 */
const STRICTER: {
  readonly [Name in keyof Settings]?: (personal: Settings[Name], team: Settings[Name]) => Settings[Name];
} = {
  'verify.timeoutSeconds': Math.max,
  'verify.differentialSeconds': Math.max,
  'verify.traceSeconds': Math.max,
  'verify.guardSeconds': Math.max,
  'verify.guardMutants': Math.max,
  'verify.guardStrength': Math.max,
  'verify.together': Math.min,
  'checkpoints.keep': Math.max,
  'apply.probation': (personal, team) =>
    PROBATION_ORDER.indexOf(team) > PROBATION_ORDER.indexOf(personal) ? team : personal,
  // Patterns that remove protection are skipped, so the combined list only protects more.
  'charter.protectedPaths': (personal, team) => [...personal, ...team.filter((pattern) => !pattern.startsWith('!'))],
};

/** Strictest first. */
const APPROVAL_ORDER: readonly Settings['charter.approval'][] = ['strict', 'moderate', 'minimal'];

/**
 * The settings in `names` that are less strict in `after` than in `before`, or that only a person may change: commands
 * that prove a change, and destinations of the repository's texts. Settings that are `looks` do not affect safety.
 */
export function findLooserSettings(before: Settings, after: Settings, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const [valueBefore, valueAfter] = [before[name as keyof Settings], after[name as keyof Settings]];
    if (JSON.stringify(valueBefore) === JSON.stringify(valueAfter)) return false;
    if (name === 'charter.approval') return isLaxer(APPROVAL_ORDER, before[name], after[name]);
    if (name === 'charter.maxChanges') return after[name] > before[name];
    if (name === 'charter.protectedPaths') {
      const isKept = before[name].every((pattern, index) => after[name][index] === pattern);
      return !isKept || after[name].slice(before[name].length).some((pattern) => pattern.startsWith('!'));
    }
    const word = teamWord(name);
    return (
      word === 'personal' || (word === 'proof' && mergeStricter(before, { [name]: valueAfter }).ignored.length > 0)
    );
  });
}

function isLaxer<T>(strictestFirst: readonly T[], valueBefore: T, valueAfter: T): boolean {
  return strictestFirst.indexOf(valueAfter) > strictestFirst.indexOf(valueBefore);
}

/**
 * `looks`: the repository's value applies if the person has set none. `proof`: the stricter value applies. `personal`:
 * the repository's value is ignored.
 */
export type TeamWord = 'looks' | 'proof' | 'personal';

/** Every setting must have a row, so that a new one is available to repositories only by a decision. */
const TEAM_WORDS: Readonly<Record<keyof Settings, TeamWord>> = {
  'index.maxFileKilobytes': 'looks',
  'index.exclude': 'looks',
  'index.store': 'personal',
  'search.workspaceSymbols': 'looks',
  'memory.contextTokens': 'looks',
  'memory.embedder': 'personal',
  'memory.embedderModel': 'personal',
  'memory.embedderUrl': 'personal',
  'memory.embedderLibrary': 'personal',
  'diagnostics.enable': 'looks',
  'diagnostics.scope': 'looks',
  'notifications.decisions': 'looks',
  'hover.enable': 'looks',
  'hover.details': 'looks',
  'codeLens.figures': 'looks',
  'analysis.rules': 'looks',
  'analysis.linters': 'looks',
  'rules.disabled': 'looks',
  'charter.approval': 'personal',
  'charter.maxChanges': 'personal',
  'charter.authors': 'personal',
  'charter.protectedPaths': 'proof',
  'models.roles.intent': 'personal',
  'models.roles.reasoning': 'personal',
  'models.roles.coding': 'personal',
  'models.order': 'personal',
  'models.tokensPerTask': 'personal',
  'models.tokensPerDay': 'personal',
  'models.tokensPerRun': 'personal',
  'models.contextTokens': 'personal',
  'models.replyTokens': 'personal',
  'models.samples': 'personal',
  'models.prices': 'personal',
  'models.costPerTask': 'personal',
  'models.costPerRun': 'personal',
  'models.costPerDay': 'personal',
  'models.secondsPerTask': 'personal',
  'models.secondsPerRun': 'personal',
  'models.secondsPerDay': 'personal',
  'models.attemptsPerRun': 'personal',
  'models.attemptsPerDay': 'personal',
  'models.answerSeconds': 'personal',
  'models.beginSeconds': 'personal',
  'models.references': 'personal',
  'models.research': 'personal',
  'memory.references': 'personal',
  'models.localLibrary': 'personal',
  'models.commands': 'personal',
  'agents.mcpServer': 'personal',
  // A command of the person, and a place that hears of the repository.
  'night.notifyCommand': 'personal',
  'night.notifyUrl': 'personal',
  'night.metricsPort': 'personal',
  'learn.model': 'personal',
  'learn.trainCommand': 'personal',
  'learn.evaluateCommand': 'personal',
  'learn.trainMinutes': 'personal',
  'learn.modelGigabytes': 'personal',
  'learn.afterLearnings': 'personal',
  'learn.afterDays': 'personal',
  'learn.minSuccess': 'personal',
  'learn.checkMinutes': 'personal',
  'learn.port': 'personal',
  // The machine that is measured is the person's.
  'performance.targets': 'personal',
  'night.waitForPower': 'personal',
  'night.keepAfterWindow': 'personal',
  'night.sideBySide': 'personal',
  'night.canaryEvery': 'personal',
  'night.searchFurther': 'personal',
  'night.redTeamTries': 'personal',
  'night.ruleTokens': 'personal',
  'verify.typesCommand': 'personal',
  'verify.lintCommand': 'personal',
  'verify.testCommand': 'personal',
  'verify.benchCommand': 'personal',
  'verify.timeoutSeconds': 'proof',
  'verify.differentialSeconds': 'proof',
  'verify.traceSeconds': 'proof',
  'verify.guardSeconds': 'proof',
  'verify.guardMutants': 'proof',
  'verify.guardStrength': 'proof',
  'verify.together': 'proof',
  'apply.probation': 'proof',
  'checkpoints.keep': 'proof',
  // Commits go only to a branch that the person has named.
  'commit.branch': 'personal',
  'commit.subject': 'looks',
};

/** The effect of a repository's value of this setting; null if there is no such setting. */
export function teamWord(name: string): TeamWord | null {
  return Object.hasOwn(TEAM_WORDS, name) ? TEAM_WORDS[name as keyof Settings] : null;
}

/**
 * The person's settings, replaced by the repository's settings that are stricter. `ignored`: the names of the others.
 */
export function mergeStricter(
  personSettings: Settings,
  team: Partial<Settings>,
): { readonly settings: Settings; readonly ignored: readonly (keyof Settings)[] } {
  const settings: Record<string, unknown> = { ...personSettings };
  const ignored: (keyof Settings)[] = [];
  for (const name of Object.keys(team) as (keyof Settings)[]) {
    const stricter = STRICTER[name] as ((personSettings: unknown, team: unknown) => unknown) | undefined;
    if (!stricter) continue;
    const [before, teamValue] = [personSettings[name], team[name]];
    settings[name] = stricter(before, teamValue);
    const isIgnored = Array.isArray(teamValue)
      ? teamValue.some((pattern: string) => pattern.startsWith('!'))
      : settings[name] !== teamValue;
    if (isIgnored) ignored.push(name);
  }
  return { settings: settings as unknown as Settings, ignored };
}
