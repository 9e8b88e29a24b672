// Stores the token for Selfware's servers on the loopback of this machine.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readTextInside } from '../files/safeRead.ts';
import { replaceFile } from '../files/durableFile.ts';

/** Name of the file in the folder with the state of all repositories. Only the person can read that folder. */
const TOKEN_FILE = 'metrics-token';
/** Maximum number of bytes of the file. */
const MAX_BYTES = 1_000;

/**
 * The token of this machine, which is created at the first call. `folder`: the folder with the state of all
 * repositories.
 */
export async function readOrCreateLoopbackToken(folder: string): Promise<string> {
  const storedToken = readTextInside(folder, TOKEN_FILE, MAX_BYTES)?.trim() ?? '';
  if (storedToken !== '') return storedToken;
  const token = randomBytes(24).toString('base64url');
  await replaceFile(join(folder, TOKEN_FILE), new TextEncoder().encode(`${token}\n`));
  return token;
}
