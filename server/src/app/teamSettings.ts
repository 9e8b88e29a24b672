// Determines the settings that apply in a repository: a person's own, tightened by `.selfware/settings.json` and the
// charter.

import { readTextInside } from '../adapters/files/safeRead.ts';
import { TEAM_SETTINGS_PATH } from '../settings/repositoryFiles.ts';
import { readSettings, type Settings } from '../settings/schema.ts';
import { mergeStricter, findTeamEffect } from '../settings/teamWord.ts';
import { SelfwareError } from '../util/typedError.ts';
import { readCharterFile, tightenSettings } from './charterFile.ts';
import { isRecord } from '../util/values/isRecord.ts';

/** Maximum number of bytes. A larger settings file is ignored. */
const MAX_BYTES = 1024 * 1024;

/** The settings in `.selfware/settings.json`, grouped by what they may affect. */
export interface TeamSettings {
  /** Settings of appearance, by name without the `selfware.` prefix. Not validated yet. */
  readonly looks: Readonly<Record<string, unknown>>;
  /** Settings that determine how a change is proven. Not validated yet. */
  readonly proof: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

/**
 * Combines the person's settings with those of the repository and the charter. `rootDir`: null for a folder that is not
 * on disk. `ownSettings`: the person's settings by name, from their editor or command line. `problems`: sentences about
 * unusable settings, and about settings of the repository that were refused. Does not throw for files that cannot be
 * used.
 */
export function loadEffectiveSettings(
  rootDir: string | null,
  ownSettings: Readonly<Record<string, unknown>>,
): { readonly settings: Settings; readonly problems: readonly string[] } {
  if (rootDir === null) return readSettings(ownSettings);
  const team = readTeamSettings(rootDir);
  const combinedSettings = readSettings(mergeSettings(team.looks, ownSettings));
  const proof = Object.entries(team.proof).map(([name, value]) => ({ name, ...readSettings({ [name]: value }) }));
  const accepted = proof
    .filter(({ problems }) => problems.length === 0)
    .map(({ name, settings }) => [name, settings[name as keyof Settings]]);
  const { settings, ignored } = mergeStricter(
    combinedSettings.settings,
    Object.fromEntries(accepted) as Partial<Settings>,
  );
  const charter = readCharterFile(rootDir);
  return {
    settings: tightenSettings(settings, charter.charter),
    problems: [
      ...team.problems,
      ...proof.flatMap(({ problems }) => problems).map((problem) => `${TEAM_SETTINGS_PATH}: ${problem}`),
      ...ignored.map(
        (name) =>
          `${TEAM_SETTINGS_PATH}: ${name} would ask for less than you do. A repository may only ask for more. The setting is ignored.`,
      ),
      ...combinedSettings.problems,
      ...charter.problems,
    ],
  };
}

/**
 * Reads the repository's settings. Unusable settings become `problems` and are skipped. Names may have the `selfware.`
 * prefix, as in an editor's settings.
 */
export function readTeamSettings(rootDir: string): TeamSettings {
  const text = readSettingsText(rootDir);
  if (text === null) return { looks: {}, proof: {}, problems: [] };
  const value = 'text' in text ? parseObject(text.text) : text.problem;
  if (typeof value === 'string')
    return { looks: {}, proof: {}, problems: [`${TEAM_SETTINGS_PATH} cannot be read: ${value}`] };
  const byKind = { looks: new Map<string, unknown>(), proof: new Map<string, unknown>() };
  const problems: string[] = [];
  for (const [writtenName, setting] of Object.entries(value)) {
    // Only editors use this key.
    if (writtenName === '$schema') continue;
    const name = writtenName.replace(/^selfware\./, '');
    const kind = findTeamEffect(name);
    if (kind === null)
      problems.push(`${TEAM_SETTINGS_PATH}: there is no setting ${writtenName.slice(0, 100)}. The setting is ignored.`);
    else if (kind === 'personal')
      problems.push(
        `${TEAM_SETTINGS_PATH}: ${writtenName} is for each person to set, not for a repository. The setting is ignored.`,
      );
    else byKind[kind].set(name, setting);
  }
  return { looks: Object.fromEntries(byKind.looks), proof: Object.fromEntries(byKind.proof), problems };
}

/**
 * Merges two sets of settings, setting by setting, and rule by rule for `analysis.rules`. `overrides` takes precedence.
 */
export function mergeSettings(
  base: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const [rulesUnder, rulesOver] = [base['analysis.rules'], overrides['analysis.rules']];
  return {
    ...base,
    ...overrides,
    ...(isRecord(rulesUnder) && isRecord(rulesOver) ? { 'analysis.rules': { ...rulesUnder, ...rulesOver } } : {}),
  };
}

/** The text of the settings file, or the problem with it; null if there is none. */
function readSettingsText(rootDir: string): { readonly text: string } | { readonly problem: string } | null {
  try {
    const text = readTextInside(rootDir, TEAM_SETTINGS_PATH, MAX_BYTES);
    return text === null ? null : { text };
  } catch (error) {
    if (!(error instanceof SelfwareError)) throw error;
    return { problem: error.message };
  }
}

/** The object, or the problem as a text. */
function parseObject(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : 'an object is expected.';
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}
