// Run as a process of its own: starts a supervisor detached, says its id, and waits to be killed.

import { join } from 'node:path';
import { startDetached } from '../../../server/src/adapters/run/detached.ts';

const [logFile = '', ...args] = process.argv.slice(2);
const script = join(import.meta.dirname, 'supervisorProcess.ts');
const pid = await startDetached({ args, cwd: process.cwd(), env: process.env, logFile, script });
process.stdout.write(`${pid}\n`);
setInterval(() => undefined, 60_000);
