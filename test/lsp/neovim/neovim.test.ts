// A real Neovim as a second client, with the set-up that docs/editors.md gives its users, and as a bare client.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serverEntry } from '../../helpers/lspServers.ts';
import { sampleProject } from '../../helpers/sampleProject.ts';
import { sharedCode } from '../../helpers/compiledCode.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { sample } from '../../helpers/thorough.ts';

const rule = 'else-after-return';
const file = 'src/grade.ts';
const before = sampleProject[file] ?? '';

let repository: TemporaryRepository;
let home: string;
beforeEach(async () => {
  repository = await createTemporaryRepository(sampleProject);
  home = await mkdtemp(join(tmpdir(), 'selfware-neovim-'));
});
afterEach(async () => {
  await repository.dispose();
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
});

describe('diagnostics, code action, review, apply and roll back', () => {
  test.each(
    sample(
      [
        { setup: 'the documented set-up', documented: true },
        { setup: 'a bare client', documented: false },
      ],
      1,
    ),
  )('with $setup', async ({ documented }) => {
    const result = await neovim(documented ? await documentedSetup() : '');
    expect(result.error).toBeUndefined();
    expect(result.before).toBe(before);
    expect(result.diagnostics).toContainEqual(expect.objectContaining({ source: 'selfware', code: rule, line: 8 }));
    expect(result.offered).toMatch(/^Improve: /);
    expect(result.asked).toHaveLength(2);
    expect(result.asked[0]).toMatch(/Checks: .*Tests ✓[\s\S]*Points: [\d.]+ → [\d.]+[\s\S]*1\. Apply/);
    expect(result.asked[1]).toMatch(/^- {2}\} else \{$/m);
    expect(result.applied.buffer).not.toContain('else');
    expect(result.applied.disk).toBe(result.applied.buffer);
    expect(result.applied.modified).toBe(!documented);
    // Rolled back: the buffer was compared by the script, the file is compared here, byte for byte.
    expect(await repository.read(file)).toBe(before);
    expect(await repository.git('status', '--porcelain')).toBe('');
    expect(result.messages).not.toMatch(/Error|stack traceback/);
  });
});

interface Result {
  readonly error?: string;
  readonly before: string;
  readonly diagnostics: readonly { readonly line: number; readonly source: string; readonly code: string }[];
  readonly offered: string;
  readonly asked: readonly string[];
  readonly applied: { readonly buffer: string; readonly disk: string; readonly modified: boolean };
  readonly messages: string;
}

async function neovim(setup: string): Promise<Result> {
  const output = join(home, 'result.json');
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    SELFWARE_HOME: join(home, 'state'),
    ...sharedCode,
    SELFWARE_ROOT: repository.dir,
    SELFWARE_FILE: join(repository.dir, file),
    SELFWARE_SETUP: setup,
    SELFWARE_RULE: rule,
    SELFWARE_RESULT: output,
    SELFWARE_CMD: JSON.stringify([process.execPath, serverEntry, '--stdio']),
  };
  const child = spawn('nvim', ['--headless', '--clean', '-c', `luafile ${join(import.meta.dirname, 'drive.lua')}`], {
    cwd: repository.dir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  await new Promise((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'ENOENT'
          ? new Error('Neovim (`nvim`) is not installed. `npm test` installs it; by hand: `apt-get install neovim`.', {
              cause,
            })
          : cause,
      ),
    );
    child.once('close', resolve);
  });
  try {
    return JSON.parse(await readFile(output, 'utf8')) as Result;
  } catch (cause) {
    throw new Error(`Neovim wrote no result. It said:\n${said.join('')}`, { cause });
  }
}

/** The Lua code of docs/editors.md: what is documented is what is tried. */
async function documentedSetup(): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'editors.md'), 'utf8');
  const code = /```lua\n([\s\S]*?)```/.exec(page)?.[1];
  if (!code) throw new Error('docs/editors.md has no Lua code.');
  const place = join(home, 'selfware.lua');
  await writeFile(place, code);
  return place;
}
