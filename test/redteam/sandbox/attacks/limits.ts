// Attacks that use up the machine. They end late or never without help; each has to be ended, with a verdict.

import type { Attack, Scene } from '../attack.ts';

// Globals of `node -e`.
declare const child_process: typeof import('node:child_process');
declare const fs: typeof import('node:fs');

/** Ended for going beyond a limit, or by the system at one; and nobody is left. */
const unlimited = ({ result, left }: Scene) =>
  left.length > 0 || !(result.exceeded !== undefined || (result.outcome === 'exited' && result.exitCode !== 0));

/** A quarter of the process ids of a small machine. */
const FEW = 8_192;

/**
 * Or the verdict names another reason, or there were enough of them to keep the machine's other programs from starting.
 */
const crowded = (scene: Scene) =>
  unlimited(scene) || !scene.result.exceeded?.endsWith('processes') || scene.tasks > FEW;

export const LIMITS: readonly Attack[] = [
  {
    name: 'fork bomb',
    // A bomb may burn out at the limit between two looks, so it starts again.
    shell: `sh -c 'bomb() { bomb | bomb & }; while :; do bomb; sleep 1; done' "$MARK"`,
    escaped: crowded,
    onlyShutIn: true,
  },
  {
    name: 'fork bomb of sessions without an environment',
    shell: `env -i sh -c 'bomb() { setsid sleep 600 & bomb | bomb & }; while :; do bomb; sleep 1; done' "$MARK"`,
    escaped: crowded,
    onlyShutIn: true,
  },
  {
    name: 'many processes that wait',
    program: (g) => {
      for (let i = 0; i < 3_000; i += 1)
        child_process.spawn('sleep', ['600', g.mark], { stdio: 'ignore' }).on('error', () => undefined);
      setInterval(() => undefined, 1_000);
    },
    escaped: crowded,
    onlyShutIn: true,
  },
  {
    name: 'use up the memory',
    program: () => {
      const held: Buffer[] = [];
      setInterval(() => held.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5);
    },
    escaped: unlimited,
  },
  {
    name: 'use up the memory by many processes',
    program: () => {
      for (let i = 0; i < 6; i += 1)
        child_process.spawn(
          process.execPath,
          [
            '-e',
            'const held = []; setInterval(() => held.length < 4 && held.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5)',
          ],
          { stdio: 'ignore' },
        );
      setInterval(() => undefined, 1_000);
    },
    escaped: unlimited,
  },
  {
    name: 'fill the disk with one file',
    program: () => {
      const file = fs.openSync('large', 'w');
      for (;;) fs.writeSync(file, Buffer.alloc(1024 * 1024));
    },
    escaped: unlimited,
  },
  {
    name: 'fill the disk with many files',
    program: () => {
      for (let i = 0; ; i += 1) fs.writeFileSync(`large-${i}`, Buffer.alloc(4 * 1024 * 1024, 1));
    },
    escaped: unlimited,
  },
  {
    name: 'fill the shared memory',
    program: () => {
      for (let i = 0; ; i += 1) fs.writeFileSync(`/dev/shm/large-${i}`, Buffer.alloc(4 * 1024 * 1024, 1));
    },
    escaped: unlimited,
    onlyShutIn: true,
  },
  { name: 'write without end', shell: 'yes', escaped: unlimited },
  {
    name: 'never end',
    shell: 'while :; do sleep 1; done',
    escaped: ({ result, left }) => result.outcome !== 'timedOut' || left.length > 0,
  },
];
