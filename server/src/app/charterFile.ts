// Reads `.selfware/charter.json` and tightens a person's settings by it. Fails closed: a charter that cannot be read allows nothing.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { charterSchema, type CharterFile } from '../settings/charterFile.ts';
import { CHARTER_PATH } from '../settings/repositoryFiles.ts';
import type { Settings } from '../settings/schema.ts';

export interface ReadCharter {
  readonly charter: CharterFile;
  readonly problems: readonly string[];
}

/** Strictest first. */
const levels: readonly Settings['charter.approval'][] = ['strict', 'moderate', 'minimal'];

/** None at all is no problem; one that is damaged is, because a protection could have been lost with it. */
export function readCharterFile(rootDir: string): ReadCharter {
  let text: string;
  try {
    text = readFileSync(join(rootDir, CHARTER_PATH), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { charter: {}, problems: [] };
    if (code === undefined) throw error;
    return closed(`it cannot be read (${code}).`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return closed(error.message);
    throw error;
  }
  const parsed = charterSchema.safeParse(value);
  if (!parsed.success) return closed(parsed.error.issues.map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message)).join('; '));
  const { $schema: _, ...charter } = parsed.data;
  return { charter, problems: [] };
}

/** The stricter of both, part by part. A charter can take nothing away from what the settings protect. */
export function tighten(settings: Settings, charter: CharterFile): Settings {
  const approval = levels.find((level) => level === settings['charter.approval'] || level === charter.approval) ?? 'strict';
  return {
    ...settings,
    'charter.approval': approval,
    'charter.maxChanges': Math.min(settings['charter.maxChanges'], charter.maxChanges ?? Infinity),
    // Last: nothing that a person has set can open what stands here, and a charter has no pattern that opens.
    'charter.protectedPaths': [...settings['charter.protectedPaths'], ...(charter.protectedPaths ?? [])],
  };
}

function closed(why: string): ReadCharter {
  return { charter: { approval: 'strict', maxChanges: 0 }, problems: [`${CHARTER_PATH}: ${/[.!?]$/.test(why) ? why : `${why}.`} Nothing is applied until it is mended.`] };
}
