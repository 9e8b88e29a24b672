// Reads `.selfware/charter.json` and tightens a person's settings by it. It fails closed: a charter that cannot be read
// allows nothing.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readTextInside } from '../adapters/files/door.ts';
import { givenBy, tightenedBy } from '../core/model/capabilities.ts';
import { charterSchema, type CharterFile } from '../settings/charterFile.ts';
import { CHARTER_PATH } from '../settings/repositoryFiles.ts';
import type { Settings } from '../settings/schema.ts';
import { SelfwareError } from '../util/typedError.ts';

/** Bytes. A larger file is no charter. */
const MOST_BYTES = 1024 * 1024;

export interface ReadCharter {
  readonly charter: CharterFile;
  readonly problems: readonly string[];
}

/** Strictest first. */
const levels: readonly Settings['charter.approval'][] = ['strict', 'moderate', 'minimal'];

/** A missing charter is not a problem. A damaged one is, because a protection could have been lost with it. */
export function readCharterFile(rootDir: string): ReadCharter {
  let value: unknown;
  try {
    const text = readTextInside(rootDir, CHARTER_PATH, MOST_BYTES);
    if (text === null)
      return isThere(rootDir) ? closed('it leads out of the repository.') : { charter: {}, problems: [] };
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof SelfwareError) return closed(error.message);
    throw error;
  }
  const parsed = charterSchema.safeParse(value);
  if (!parsed.success)
    return closed(
      parsed.error.issues
        .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
        .join('; '),
    );
  const { $schema: _, ...charter } = parsed.data;
  return { charter, problems: [] };
}

/** The stricter of both, part by part. A charter cannot remove any protection of the settings. */
export function tighten(settings: Settings, charter: CharterFile): Settings {
  const approval =
    levels.find((level) => level === settings['charter.approval'] || level === charter.approval) ?? 'strict';
  return {
    ...settings,
    'charter.approval': approval,
    'charter.maxChanges': Math.min(settings['charter.maxChanges'], charter.maxChanges ?? Infinity),
    'charter.authors': charter.authors
      ? tightenedBy(charter.authors, givenBy(settings['charter.authors']))
      : settings['charter.authors'],
    // Last: nothing that a person has set can open what stands here, and a charter has no pattern that opens.
    'charter.protectedPaths': [...settings['charter.protectedPaths'], ...(charter.protectedPaths ?? [])],
  };
}

/** A link that leads out, or nowhere, says that there should be a charter. */
function isThere(rootDir: string): boolean {
  return lstatSync(join(rootDir, CHARTER_PATH), { throwIfNoEntry: false }) !== undefined;
}

function closed(why: string): ReadCharter {
  return {
    charter: { approval: 'strict', maxChanges: 0 },
    problems: [`${CHARTER_PATH}: ${/[.!?]$/.test(why) ? why : `${why}.`} Nothing is applied until it is fixed.`],
  };
}
