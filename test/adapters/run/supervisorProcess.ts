// Run as a process of its own: supervises the worker beside it, and writes what happens as lines of JSON.

import { join } from 'node:path';
import { superviseWorker } from '../../../server/src/adapters/run/supervisor.ts';
import { startHandlingSignals } from '../../../server/src/adapters/system/gracefulShutdown.ts';
import { SUPERVISION_RULES } from '../../../server/src/core/run/supervision.ts';
import type { SelfwareError } from '../../../server/src/util/typedError.ts';

const [how = '', file = '', rootDir = ''] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

const end = await superviseWorker({
  command: process.execPath,
  args: [join(import.meta.dirname, 'worker.ts'), how, file],
  cwd: rootDir,
  env: process.env,
  rootDir,
  signal: startHandlingSignals(60_000).signal,
  rules: {
    ...SUPERVISION_RULES,
    tickMs: 100,
    killAfterMs: 500,
    stopAfterMs: 500,
    firstBackoffMs: 20,
    // Only where it is about silence: on a busy machine, a process takes seconds to start.
    ...(how === 'orderly' ? { silenceMs: 8_000 } : {}),
    ...(how === 'large' ? { maxRssMb: 1 } : {}),
  },
  onEvent: say,
  tellPerson: say,
}).catch((error: unknown) => (error as SelfwareError).reason);
say({ type: 'end', end });
