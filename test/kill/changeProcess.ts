// A process that applies, rolls back or recovers, and kills itself at a given step: `node changeProcess.ts ROOT STATE
// ACTION STEP`.
// Every call of a port and every step of the disk writer counts. Step 0 = live on. Prints what became of it as JSON.

import { writeFileSync } from 'node:fs';
import { diskFiles, type RawFiles } from '../../server/src/adapters/files/diskWriter.ts';
import { createLock } from '../../server/src/adapters/files/lock.ts';
import { applyEdits } from '../../server/src/core/apply/apply.ts';
import { recover } from '../../server/src/core/apply/recover.ts';
import { rollback } from '../../server/src/core/apply/rollback.ts';
import type { Checkpoint } from '../../server/src/core/model.ts';
import { edits } from './change.ts';
import { changeContext } from './changeContext.ts';

const [rootDir = '', stateDir = '', action = '', stepText = '0'] = process.argv.slice(2);
const lastStep = Number(stepText);
let step = 0;

/** The end may come here. `half` = do half of what comes next before it does. */
function mayEnd(half: () => void = () => undefined): void {
  step += 1;
  if (step !== lastStep) return;
  half();
  process.kill(process.pid, 'SIGKILL');
}

/** Each call may be the one before which the process dies. */
function mortal<T extends object>(port: T): T {
  return new Proxy(port, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        mayEnd();
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

const raw: RawFiles = mortal({
  ...diskFiles,
  async writeTemporary(place, bytes, mode) {
    mayEnd(() => writeFileSync(place, bytes.subarray(0, bytes.length / 2)));
    await diskFiles.writeTemporary(place, bytes, mode);
    mayEnd();
  },
  async rename(from, to) {
    await diskFiles.rename(from, to);
    mayEnd();
  },
  async unlink(place) {
    await diskFiles.unlink(place);
    mayEnd();
  },
} satisfies RawFiles);

const context = await changeContext(rootDir, stateDir, { mortal, raw, mayEnd });
const lock = createLock(stateDir);

const { signal } = new AbortController();
let answer: unknown;
if (action === 'apply')
  answer = await applyEdits(context, { proposal: { id: 'p-kill', title: 'Change three files', edits } }, signal);
if (action === 'rollback') answer = await rollback(context, await newestCheckpoint(), signal);
if (action === 'recover') answer = await recover(context);
mayEnd();
process.stdout.write(JSON.stringify({ answer, steps: step }));

/** What the ledger would know. */
async function newestCheckpoint(): Promise<Checkpoint> {
  const { settled } = await recover({ ...context, lock });
  const checkpoint = settled.findLast(({ outcome }) => outcome === 'applied')?.record;
  if (!checkpoint) throw new Error('There is no checkpoint to go back to.');
  step = 0;
  return checkpoint;
}
