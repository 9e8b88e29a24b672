// Attacks on other processes, and processes that stay.

import type { Attack } from '../attack.ts';

// Globals of `node -e`.
declare const fs: typeof import('node:fs');
declare const child_process: typeof import('node:child_process');

/** Starts a process that does nothing and carries the mark in its command line. */
const STAY = 'setInterval(() => {}, 1000)';

export const PROCESSES: readonly Attack[] = [
  { name: 'end another process', program: (g) => process.kill(g.bystander, 'SIGKILL') },
  { name: 'end all processes', shell: 'kill -9 -1', onlyShutIn: true },
  { name: 'end the process that runs Selfware', program: (g) => process.kill(g.parent, 'SIGKILL'), onlyShutIn: true },
  {
    name: 'write into the memory of another process',
    program: (g) => (fs.closeSync(fs.openSync(`/proc/${g.bystander}/mem`, 'r+')), console.log('LOOT: memory')),
  },
  {
    name: 'type into the terminal of whoever runs Selfware',
    shell:
      'perl -e \'for my $tty (glob("/dev/tty /dev/pts/* /dev/console /proc/1/fd/0")) { open(my $f, "+<", $tty) or next; print "LOOT: $tty" if ioctl($f, 0x5412, my $c = "x") }\'',
  },
  { name: 'leave a process in the background', shell: `node -e "${STAY}" $MARK & sleep 0.3` },
  {
    name: 'leave a daemon with a session of its own',
    program: (g) =>
      child_process
        .spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', g.mark], { detached: true, stdio: 'ignore' })
        .unref(),
  },
  {
    name: 'leave a daemon of a daemon with an empty environment',
    shell: `setsid sh -c 'env -i setsid "$0" -e "${STAY}" "$1" > /dev/null 2>&1 &' "$(command -v node)" "$MARK"; sleep 0.5`,
  },
  {
    name: 'leave a daemon that ignores every request',
    shell: `setsid sh -c 'trap "" TERM INT HUP QUIT; env -i sh -c "trap \\"\\" TERM INT HUP; while :; do sleep 1; done # $MARK" &' > /dev/null 2>&1; sleep 0.3`,
  },
];
