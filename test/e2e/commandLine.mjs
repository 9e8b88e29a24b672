// The command line of the same checkout, on the state that the window works on: proposals that a window did not make.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './harness.mjs';

/** What is shown of words that came along with a change: they are a quotation everywhere. */
export const quoted = (words) => `The agent says: “${words}”`;

/** Files it, verified: then it waits for a decision. */
export function proposeByCommandLine(workbench, project, { title: description, edits }) {
  const request = join(dirname(project), 'request.json');
  writeFileSync(request, JSON.stringify({ description, edits }));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/cli.js'), 'propose', '--request', request, '--repo', project, '--json'],
    { env: { ...process.env, SELFWARE_HOME: join(workbench.home, 'selfware') }, encoding: 'utf8' },
  );
  if (!stdout.trim() || JSON.parse(stdout).status !== 'verified') throw new Error(`${stdout}\n${stderr}`);
}
