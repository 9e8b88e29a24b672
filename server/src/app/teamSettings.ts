// Settings that a team commits: `.selfware/settings.json`. Only those that say how the repository is looked at; never what is run, or where things are sent.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEAM_SETTINGS_PATH } from '../settings/repositoryFiles.ts';
import { scopes, type Settings } from '../settings/schema.ts';

export interface TeamSettings {
  /** By name without the `selfware.` prefix; not validated yet. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

const NOTHING: TeamSettings = { raw: {}, problems: [] };

/** What cannot be used is said and left out. Names may have the `selfware.` prefix, as in an editor's settings. */
export function readTeamSettings(rootDir: string): TeamSettings {
  const text = textOf(join(rootDir, TEAM_SETTINGS_PATH));
  if (text === null) return NOTHING;
  const value = parsed(text);
  if (typeof value === 'string') return { raw: {}, problems: [`${TEAM_SETTINGS_PATH} cannot be read: ${value}`] };
  const raw: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [written, setting] of Object.entries(value)) {
    // For editors only.
    if (written === '$schema') continue;
    const name = written.replace(/^selfware\./, '');
    if (scopes[name as keyof Settings]?.startsWith('machine')) problems.push(`${TEAM_SETTINGS_PATH}: ${written} is for each person to set, not for a repository. It is left out.`);
    else raw[name] = setting;
  }
  return { raw, problems };
}

/** `over` wins, setting by setting, and for `analysis.rules` rule by rule. */
export function mergeSettings(under: Readonly<Record<string, unknown>>, over: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [rulesUnder, rulesOver] = [under['analysis.rules'], over['analysis.rules']];
  return { ...under, ...over, ...(isObject(rulesUnder) && isObject(rulesOver) ? { 'analysis.rules': { ...rulesUnder, ...rulesOver } } : {}) };
}

function textOf(place: string): string | null {
  try {
    return readFileSync(place, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // No file, or none that can be read: nobody has set anything.
    return null;
  }
}

/** The object, or what is wrong with it. */
function parsed(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isObject(value) ? value : 'an object is expected.';
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
