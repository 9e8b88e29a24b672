// Defines the groups of settings with their order and titles, and which settings are advanced.

import type { Settings } from './schema.ts';

/** A group of settings under one title. */
export interface SettingGroup {
  readonly title: string;
  /** The first parts of the names of the group's settings: `index` for `index.store`. */
  readonly prefixes: readonly string[];
}

/** All groups, in the order in which people see them. */
export const settingGroups: readonly SettingGroup[] = [
  { title: 'Problems', prefixes: ['diagnostics', 'hover', 'codeLens', 'analysis', 'rules', 'notifications'] },
  { title: 'Charter', prefixes: ['charter', 'apply', 'commit', 'checkpoints'] },
  { title: 'Verification', prefixes: ['verify'] },
  { title: 'Index and search', prefixes: ['index', 'search'] },
  { title: 'Memory', prefixes: ['memory'] },
  { title: 'Nights', prefixes: ['night'] },
  { title: 'Training', prefixes: ['learn'] },
  { title: 'Performance of Selfware', prefixes: ['performance'] },
  { title: 'Agents', prefixes: ['agents', 'models'] },
];

/** Settings that are marked as advanced, because their defaults suit nearly everybody. */
export const advancedSettings: ReadonlySet<keyof Settings> = new Set<keyof Settings>([
  'index.maxFileKilobytes',
  'index.store',
  'memory.embedder',
  'memory.embedderModel',
  'memory.embedderUrl',
  'memory.embedderLibrary',
  'memory.contextTokens',
  'night.metricsPort',
  'learn.model',
  'learn.trainCommand',
  'learn.evaluateCommand',
  'learn.trainMinutes',
  'learn.modelGigabytes',
  'learn.afterLearnings',
  'learn.afterDays',
  'learn.minSuccess',
  'learn.checkMinutes',
  'learn.port',
  'performance.targets',
  'night.sideBySide',
  'night.canaryEvery',
  'night.searchFurther',
  'night.redTeamTries',
  'night.ruleTokens',
  'models.roles.intent',
  'models.roles.reasoning',
  'models.roles.coding',
  'models.contextTokens',
  'models.replyTokens',
  'models.secondsPerTask',
  'models.secondsPerRun',
  'models.secondsPerDay',
  'models.attemptsPerRun',
  'models.attemptsPerDay',
  'models.answerSeconds',
  'models.beginSeconds',
  'models.references',
  'models.research',
  'models.localLibrary',
  'models.commands',
  'rules.disabled',
  'charter.authors',
  'apply.probation',
  'commit.branch',
  'commit.subject',
  'checkpoints.keep',
  'verify.benchCommand',
  'verify.timeoutSeconds',
  'verify.differentialSeconds',
  'verify.traceSeconds',
  'verify.guardSeconds',
  'verify.guardMutants',
  'verify.guardStrength',
  'verify.together',
]);

/** The group of a setting. Throws if there is none, so that a new setting is not forgotten here. */
export function groupOf(name: string): SettingGroup {
  const group = settingGroups.find(({ prefixes }) => prefixes.includes(name.split('.')[0] ?? ''));
  if (!group) throw new Error(`The setting ${name} belongs to no group of server/src/settings/groups.ts.`);
  return group;
}
