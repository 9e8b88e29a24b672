// Decides which settings of a repository have an effect. A repository may set what does not affect safety. It may
// demand stricter proof of changes than the person does, but never less strict proof.

import type { Settings } from './schema.ts';

/** The values of `apply.probation`, least strict first. */
const PROBATION_ORDER: readonly Settings['apply.probation'][] = ['points', 'checks', 'always'];

/**
 * By setting that determines how a change is proven or rolled back: a function that computes the stricter of the
 * person's and the repository's value.
 */
const STRICTER_VALUE_BY_SETTING: {
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

/** The values of `charter.approval`, strictest first. */
export const APPROVAL_ORDER: readonly Settings['charter.approval'][] = ['strict', 'moderate', 'minimal'];

/**
 * The settings in `names` that are less strict in `after` than in `before`, or that have changed although only a person
 * may change them, such as commands that prove a change, or destinations of the repository's texts. Settings of the
 * kind `looks` are not listed, because they do not affect safety.
 */
export function findLooserSettings(before: Settings, after: Settings, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const [valueBefore, valueAfter] = [before[name as keyof Settings], after[name as keyof Settings]];
    if (JSON.stringify(valueBefore) === JSON.stringify(valueAfter)) return false;
    if (name === 'charter.approval') return isLessStrict(APPROVAL_ORDER, before[name], after[name]);
    if (name === 'charter.maxChanges') return after[name] > before[name];
    if (name === 'charter.protectedPaths') {
      const isKept = before[name].every((pattern, index) => after[name][index] === pattern);
      return !isKept || after[name].slice(before[name].length).some((pattern) => pattern.startsWith('!'));
    }
    const effect = findTeamEffect(name);
    return (
      effect === 'personal' || (effect === 'proof' && mergeStricter(before, { [name]: valueAfter }).ignored.length > 0)
    );
  });
}

/** True if the second value is less strict than the first. */
function isLessStrict<T>(strictestFirst: readonly T[], valueBefore: T, valueAfter: T): boolean {
  return strictestFirst.indexOf(valueAfter) > strictestFirst.indexOf(valueBefore);
}

/**
 * The effect of a setting of a repository. `looks`: its value applies if the person has set none. `proof`: the stricter
 * of both values applies. `personal`: it is ignored.
 */
export type TeamEffect = 'looks' | 'proof' | 'personal';

/**
 * The effect of each setting. Its type demands an entry for every setting, so that somebody decides on each new
 * setting.
 */
const TEAM_EFFECTS: Readonly<Record<keyof Settings, TeamEffect>> = {
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
  // A command of the person, and destinations that learn about the repository.
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
  // The targets are for the machine of the person.
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
export function findTeamEffect(name: string): TeamEffect | null {
  return Object.hasOwn(TEAM_EFFECTS, name) ? TEAM_EFFECTS[name as keyof Settings] : null;
}

/**
 * The person's settings, in which stricter values of the repository replace those of the person. `ignoredNames`: the names
 * of those settings of the repository about proof that do not apply, completely or in part.
 */
export function mergeStricter(
  personSettings: Settings,
  team: Partial<Settings>,
): { readonly settings: Settings; readonly ignored: readonly (keyof Settings)[] } {
  const settings: Record<string, unknown> = { ...personSettings };
  const ignoredNames: (keyof Settings)[] = [];
  for (const name of Object.keys(team) as (keyof Settings)[]) {
    const chooseStricter = STRICTER_VALUE_BY_SETTING[name] as
      | ((personSettings: unknown, team: unknown) => unknown)
      | undefined;
    if (!chooseStricter) continue;
    const [personalValue, teamValue] = [personSettings[name], team[name]];
    settings[name] = chooseStricter(personalValue, teamValue);
    const isIgnored = Array.isArray(teamValue)
      ? teamValue.some((pattern: string) => pattern.startsWith('!'))
      : settings[name] !== teamValue;
    if (isIgnored) ignoredNames.push(name);
  }
  return { settings: settings as unknown as Settings, ignored: ignoredNames };
}
