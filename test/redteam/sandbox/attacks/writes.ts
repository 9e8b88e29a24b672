// Attacks that write where they should not.

import { readFileSync, readlinkSync } from 'node:fs';
import type { Attack } from '../attack.ts';

// Globals of `node -e`.
declare const fs: typeof import('node:fs');
declare const path: typeof import('node:path');

export const WRITES: readonly Attack[] = [
  { name: 'write by absolute path', program: (g) => fs.writeFileSync(`${g.outside}/${g.mark}`, 'x') },
  {
    name: 'write by ..',
    program: (g) => fs.writeFileSync(path.relative(process.cwd(), `${g.outside}/${g.mark}`), 'x'),
  },
  {
    name: 'write through a symlink to a folder',
    program: (g) => (fs.symlinkSync(g.outside, `link-${g.mark}`), fs.writeFileSync(`link-${g.mark}/${g.mark}`, 'x')),
  },
  {
    name: 'write through a symlink to a file',
    program: (g) => (fs.symlinkSync(`${g.outside}/theirs`, `file-${g.mark}`), fs.appendFileSync(`file-${g.mark}`, 'x')),
  },
  {
    name: 'write through a hard link',
    program: (g) => (fs.linkSync(`${g.outside}/theirs`, `hard-${g.mark}`), fs.appendFileSync(`hard-${g.mark}`, 'x')),
  },
  {
    name: 'rename a file out of the tree',
    program: (g) => (fs.writeFileSync(g.mark, 'x'), fs.renameSync(g.mark, `${g.outside}/${g.mark}`)),
  },
  { name: 'rename a file into the tree', program: (g) => fs.renameSync(`${g.outside}/theirs`, 'taken') },
  { name: 'remove a file', program: (g) => fs.rmSync(`${g.outside}/theirs`) },
  { name: 'truncate a file', program: (g) => fs.truncateSync(`${g.outside}/theirs`) },
  {
    name: 'change modes and times',
    program: (g) => (fs.chmodSync(`${g.outside}/theirs`, 0o777), fs.utimesSync(`${g.outside}/theirs`, 1, 1)),
  },
  { name: 'write into an installed package', program: () => fs.appendFileSync('node_modules/lent/index.js', 'x') },
  {
    name: 'write into an installed package by its real path',
    program: () => fs.appendFileSync(fs.realpathSync('node_modules/lent/index.js'), 'x'),
  },
  { name: 'empty an installed package', shell: 'rm -rf node_modules/lent/' },
  { name: 'add a file to an installed package', shell: 'echo x > node_modules/lent/$MARK' },
  {
    name: 'lead the overlay of the next command into the user’s packages',
    shell:
      'mv packages away; mkdir -p packages/a; ln -s "$REPOSITORY/node_modules" packages/a/node_modules; for at in . packages/a "$REPOSITORY"; do echo x > $at/node_modules/$MARK; rm -rf $at/node_modules/lent; done',
    twice: true,
  },
  {
    name: 'lay what it wrote over programs of the next command',
    shell:
      'mv packages away; mkdir -p packages/a/node_modules; printf "#!/bin/sh\\necho x > $OUTSIDE/$MARK\\n" > packages/a/node_modules/mount; chmod +x packages/a/node_modules/mount; mv packages/a/node_modules packages/a/later; ln -s /usr/bin packages/a/node_modules',
    twice: true,
  },
  {
    name: 'unmount what covers the installed packages',
    shell:
      'umount node_modules; unshare --user --map-root-user --mount umount node_modules; echo x > node_modules/lent/$MARK; mount -o remount,rw "$REPOSITORY/node_modules"; echo x > "$REPOSITORY/node_modules/lent/$MARK"',
  },
  { name: 'write into the home folder', program: (g) => fs.writeFileSync(`${g.home}/.bashrc-${g.mark}`, 'x') },
  { name: 'write into the user’s tree', program: (g) => fs.writeFileSync(`${g.repository}/a.txt`, 'x') },
  {
    name: 'plant a git hook',
    program: (g) => fs.writeFileSync(`${g.repository}/.git/hooks/pre-commit-${g.mark}`, 'x'),
  },
  {
    name: 'configure the user’s git',
    program: (g) => fs.appendFileSync(`${g.repository}/.git/config`, '[core]\n\tfsmonitor = evil\n'),
  },
  {
    name: 'add an object to the borrowed store',
    program: (g) =>
      fs.writeFileSync(`${fs.readFileSync('.git/objects/info/alternates', 'utf8').split('\n')[0]}/${g.mark}`, 'x'),
  },
  {
    name: 'change an object of the borrowed store',
    program: (g) => {
      const objects = `${g.repository}/.git/objects`;
      for (const folder of fs.readdirSync(objects))
        for (const file of folder.length === 2 ? fs.readdirSync(`${objects}/${folder}`) : []) {
          fs.chmodSync(`${objects}/${folder}/${file}`, 0o600);
          fs.writeFileSync(`${objects}/${folder}/${file}`, 'x');
        }
    },
  },
  {
    name: 'collect the garbage of the borrowed store',
    shell: 'git gc --prune=now; git -C "$REPOSITORY" gc --prune=now; git -C "$REPOSITORY" tag $MARK',
    escaped: ({ damaged }) => damaged,
  },
  { name: 'write into the state folder', program: (g) => fs.writeFileSync(`${g.stateDir}/${g.mark}`, 'x') },
  {
    name: 'take over the sandbox’s folder',
    program: (g) => fs.writeFileSync(`${g.sandbox}/owner.json`, '{"pid":1}'),
    escaped: ({ ground }) => readFileSync(`${ground.sandbox}/owner.json`, 'utf8') === '{"pid":1}',
  },
  {
    name: 'replace the sandbox’s node',
    program: (g) => (fs.rmSync(`${g.sandbox}/bin/node`), fs.symlinkSync('/bin/true', `${g.sandbox}/bin/node`)),
    escaped: ({ ground }) => readlinkSync(`${ground.sandbox}/bin/node`) === '/bin/true',
  },
  { name: 'write into /tmp', program: (g) => fs.writeFileSync(`/tmp/${g.mark}`, 'x') },
  { name: 'write into /dev/shm', program: (g) => fs.writeFileSync(`/dev/shm/${g.mark}`, 'x') },
  { name: 'write by /proc/self/root', program: (g) => fs.writeFileSync(`/proc/self/root${g.outside}/${g.mark}`, 'x') },
  {
    name: 'write by the root of other processes',
    program: (g) => {
      for (const pid of [g.parent, g.bystander, 1, process.ppid]) {
        try {
          fs.writeFileSync(`/proc/${pid}/root${g.outside}/${g.mark}`, 'x');
        } catch {
          // Another may be open.
        }
      }
    },
  },
  {
    name: 'write by a file that was left open',
    program: (g) => {
      for (const fd of fs.readdirSync('/proc/self/fd')) {
        const target = fs.readlinkSync(`/proc/self/fd/${fd}`);
        if (
          target.startsWith('/') &&
          !target.startsWith(g.sandbox) &&
          !target.startsWith('/proc') &&
          !target.startsWith('/dev')
        )
          console.log(`LOOT: ${target}`);
      }
    },
  },
  {
    name: 'write by a package script',
    files: {
      'package.json':
        '{"scripts": {"pretest": "echo x > $OUTSIDE/$MARK", "test": "true", "posttest": "echo x > $OUTSIDE/$MARK-2"}}',
    },
    shell: 'npm test --silent',
  },
  {
    name: 'mount the file system again, writable',
    shell:
      'unshare --user --map-root-user --mount sh -c \'mount -o remount,rw,bind "$OUTSIDE"; mount -o remount,rw /; echo x > "$OUTSIDE/$MARK"\'',
  },
  {
    name: 'mount over a folder that is shown',
    shell: 'mount --bind . "$OUTSIDE"; mount -o remount,rw /; echo x > "$OUTSIDE/$MARK"',
    onlyShutIn: true,
  },
  {
    name: 'enter the namespaces of another process',
    program: (g) => {
      for (const pid of [g.parent, g.bystander, 1])
        process
          .getBuiltinModule('node:child_process')
          .spawnSync('nsenter', ['--mount', '--target', String(pid), 'touch', `${g.outside}/${g.mark}`]);
    },
  },
  {
    name: 'climb out of a root of its own',
    shell:
      'perl -e \'mkdir "jail"; chroot "jail"; chdir "../" x 40; chroot "."; open(my $f, ">", "$ENV{OUTSIDE}/$ENV{MARK}"); print $f "x"\'',
  },
  {
    name: 'have a program with more rights write',
    shell: 'for with in "su -c" "sudo -n sh -c" "pkexec sh -c"; do $with "touch $OUTSIDE/$MARK" < /dev/null; done',
  },
  { name: 'set the clock', shell: 'date -s "@$(date +%s)" > /dev/null && echo LOOT: clock', onlyShutIn: true },
  {
    name: 'open a disk',
    program: () => {
      for (const name of fs.readdirSync('/sys/class/block')) {
        try {
          fs.closeSync(fs.openSync(`/dev/${name}`, 'r+'));
          console.log(`LOOT: ${name}`);
        } catch {
          // The next.
        }
      }
    },
  },
  {
    name: 'make a device for a disk',
    shell:
      'mknod disk-$MARK b $(cat /sys/class/block/*/dev | head -1 | tr : " ") && dd if=disk-$MARK of=/dev/null count=1 && echo LOOT: disk',
  },
  {
    name: 'change the kernel’s settings',
    program: () => {
      for (const file of [
        '/proc/sys/kernel/core_pattern',
        '/proc/sys/vm/overcommit_memory',
        '/proc/sysrq-trigger',
        '/sys/kernel/uevent_helper',
        '/sys/kernel/mm/transparent_hugepage/enabled',
      ]) {
        try {
          fs.closeSync(fs.openSync(file, 'r+'));
          console.log(`LOOT: ${file}`);
        } catch {
          // The next.
        }
      }
    },
  },
  {
    name: 'make a control group',
    program: (g) => {
      for (const top of ['/sys/fs/cgroup', '/sys/fs/cgroup/pids', '/sys/fs/cgroup/unified']) {
        try {
          fs.mkdirSync(`${top}/${g.mark}`);
          console.log(`LOOT: ${top}`);
          fs.rmdirSync(`${top}/${g.mark}`);
        } catch {
          // The next.
        }
      }
    },
  },
];
