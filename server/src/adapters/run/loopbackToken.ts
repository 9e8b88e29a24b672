// The token for what Selfware offers on the loopback of this machine.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readTextInside } from '../files/door.ts';
import { replaceFile } from '../files/durableFile.ts';

/** In the folder that holds the state of all repositories, which only the person can read. */
const TOKEN_FILE = 'metrics-token';
const MAX_BYTES = 1_000;

/** The token of this machine; it is made at the first time. `folder`: that of the state of all repositories. */
export async function loopbackToken(folder: string): Promise<string> {
  const known = readTextInside(folder, TOKEN_FILE, MAX_BYTES)?.trim() ?? '';
  if (known !== '') return known;
  const token = randomBytes(24).toString('base64url');
  await replaceFile(join(folder, TOKEN_FILE), new TextEncoder().encode(`${token}\n`));
  return token;
}
