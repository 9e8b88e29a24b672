// Reads `.selfware/charter.json` and tightens a person's settings with it. An unreadable charter allows nothing.

import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextInside } from '../adapters/files/safeRead.ts';
import { adjustAllowances, tightenAllowances } from '../core/model/capabilities.ts';
import { charterSchema, type CharterFile } from '../settings/charterFile.ts';
import { CHARTER_PATH } from '../settings/repositoryFiles.ts';
import type { Settings } from '../settings/schema.ts';
import { SelfwareError } from '../util/typedError.ts';
import { APPROVAL_ORDER } from '../settings/teamWord.ts';

/** Maximum number of bytes of the file. A larger file is not a charter. */
const MAX_BYTES = 1024 * 1024;

/** The result of reading a charter. `problems`: sentences. */
export interface CharterReading {
  readonly charter: CharterFile;
  readonly problems: readonly string[];
}

/**
 * The charter of the repository, and its problems. A missing charter is not a problem. If the charter is damaged,
 * nothing is allowed, because it may have contained a protection.
 */
export function readCharterFile(rootDir: string): CharterReading {
  let value: unknown;
  try {
    const text = readTextInside(rootDir, CHARTER_PATH, MAX_BYTES);
    if (text === null)
      return charterExists(rootDir)
        ? createClosedCharter('it leads out of the repository.')
        : { charter: {}, problems: [] };
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof SelfwareError) return createClosedCharter(error.message);
    throw error;
  }
  const parsed = charterSchema.safeParse(value);
  if (!parsed.success)
    return createClosedCharter(
      parsed.error.issues
        .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
        .join('; '),
    );
  const { $schema: _, ...charter } = parsed.data;
  return { charter, problems: [] };
}

/**
 * Reads a charter that a person names. Throws `notFound` if the file cannot be read, and `usage` if it is not a
 * charter.
 */
export async function readNamedCharter(path: string): Promise<CharterFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new SelfwareError('notFound', `The charter ${path} cannot be read.`, {
      action: 'Name an existing file.',
      cause,
    });
  }
  const parsed = charterSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new SelfwareError(
      'usage',
      `${path} is not a charter: ${parsed.error.issues[0]?.message ?? 'it is damaged'}.`,
      {
        action: 'Compare it with the example in docs/safety.md.',
      },
    );
  const { $schema: _, ...charter } = parsed.data;
  return charter;
}

/** The parsed text; undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Combines settings with a charter: for each of the charter's settings, the stricter value applies. A charter cannot
 * remove any protection.
 */
export function tightenSettings(settings: Settings, charter: CharterFile): Settings {
  const approval =
    APPROVAL_ORDER.find((level) => level === settings['charter.approval'] || level === charter.approval) ?? 'strict';
  return {
    ...settings,
    'charter.approval': approval,
    'charter.maxChanges': Math.min(settings['charter.maxChanges'], charter.maxChanges ?? Infinity),
    'charter.authors': charter.authors
      ? tightenAllowances(charter.authors, adjustAllowances(settings['charter.authors']))
      : settings['charter.authors'],
    // These patterns come last, so that no setting of the person can override them; a charter cannot contain patterns
    // that remove protection.
    'charter.protectedPaths': [...settings['charter.protectedPaths'], ...(charter.protectedPaths ?? [])],
  };
}

/** True if anything is at the path, even a link that leads nowhere, because it shows that there should be a charter. */
function charterExists(rootDir: string): boolean {
  return lstatSync(join(rootDir, CHARTER_PATH), { throwIfNoEntry: false }) !== undefined;
}

/** The charter that allows nothing, in place of a charter that cannot be used. */
function createClosedCharter(reason: string): CharterReading {
  return {
    charter: { approval: 'strict', maxChanges: 0 },
    problems: [
      `${CHARTER_PATH}: ${/[.!?]$/.test(reason) ? reason : `${reason}.`} Nothing is applied until it is fixed.`,
    ],
  };
}
