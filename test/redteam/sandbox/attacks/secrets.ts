// Attacks that read what is nobody's business.

import type { Attack } from '../attack.ts';

// Globals of `node -e`.
declare const fs: typeof import('node:fs');

export const SECRETS: readonly Attack[] = [
  ...['.ssh/id_ed25519', '.aws/credentials', '.npmrc', '.config/gh/hosts.yml', '.netrc'].map(
    (file): Attack => ({ name: `read ~/${file}`, shell: `cat "$USERHOME/${file}"` }),
  ),
  {
    name: 'read the home folder by a symlink',
    program: (g) => (
      fs.symlinkSync(g.home, `home-${g.mark}`), console.log(fs.readFileSync(`home-${g.mark}/.netrc`, 'utf8'))
    ),
  },
  {
    name: 'read a secret by a hard link',
    program: (g) => (
      fs.linkSync(`${g.home}/.netrc`, `netrc-${g.mark}`), console.log(fs.readFileSync(`netrc-${g.mark}`, 'utf8'))
    ),
  },
  { name: 'find the secret in its environment', program: () => console.log(JSON.stringify(process.env)) },
  {
    name: 'read the environment of other processes',
    program: () => {
      for (const pid of fs.readdirSync('/proc')) {
        try {
          console.log(fs.readFileSync(`/proc/${pid}/environ`, 'utf8'));
        } catch {
          // The next.
        }
      }
    },
  },
  {
    name: 'read what git ignores in the user’s tree',
    program: (g) => console.log(fs.readFileSync(`${g.repository}/.env`, 'utf8')),
  },
  {
    name: 'read what git ignores next to an installed package',
    shell: 'cat "$(dirname "$(realpath node_modules/lent)")/../.env"',
  },
  { name: 'read the state folder', program: (g) => console.log(fs.readFileSync(`${g.stateDir}/ledger.db`, 'utf8')) },
  {
    name: 'look under a hidden folder',
    shell:
      'unshare --user --map-root-user --mount sh -c \'umount -l "$USERHOME"; umount -l "$(dirname "$USERHOME")"; umount -l "$REPOSITORY"; cat "$USERHOME/.netrc" "$REPOSITORY/.env"\'',
  },
  {
    name: 'read the memory of another process',
    program: (g) => {
      for (const pid of [g.parent, g.bystander]) {
        try {
          fs.closeSync(fs.openSync(`/proc/${pid}/mem`, 'r'));
          console.log(`LOOT: memory of ${pid}`);
        } catch {
          // The next.
        }
      }
    },
  },
  // What no rule about homes and temporary folders speaks of.
  { name: 'read data that lies anywhere on the machine', shell: 'cat "$OUTSIDE/customers.csv"' },
  {
    name: 'read it through the root of the first process',
    shell: 'cat "/proc/1/root$OUTSIDE/customers.csv" "/proc/self/root$OUTSIDE/customers.csv"',
  },
  {
    name: 'read it through a relative path',
    program: (g) => console.log(fs.readFileSync(`${'../'.repeat(40)}${g.outside.slice(1)}/customers.csv`, 'utf8')),
  },
  {
    name: 'search the machine for it',
    shell: 'find / -name proc -prune -o -name customers.csv -print 2>/dev/null | sed "s/^/LOOT: /"',
  },
  {
    name: 'list what lies beside it',
    program: (g) => fs.existsSync(`${g.outside}/theirs`) && console.log('LOOT: seen'),
  },
  {
    name: 'read passwords and rules of the system',
    program: () => {
      for (const file of [
        '/etc/shadow',
        '/etc/shadow-',
        '/etc/gshadow',
        '/etc/sudoers',
        '/etc/ssl/private',
        '/etc/sudoers.d',
      ]) {
        try {
          const found = fs.statSync(file).isDirectory() ? fs.readdirSync(file).join() : fs.readFileSync(file, 'utf8');
          if (found !== '') console.log(`LOOT: ${file}`);
        } catch {
          // The next.
        }
      }
    },
  },
  {
    name: 'read logs, mail and data of services',
    program: () => {
      for (const folder of [
        '/var/log',
        '/var/mail',
        '/var/lib/dpkg',
        '/var/backups',
        '/srv',
        '/opt',
        '/mnt',
        '/media',
        '/boot',
      ]) {
        // The tree itself may lie there.
        const own = process.cwd().startsWith(`${folder}/`);
        if (!own && fs.existsSync(folder) && fs.readdirSync(folder).length > 0) console.log(`LOOT: ${folder}`);
      }
    },
  },
  {
    name: 'read the memory and the messages of the kernel',
    program: () => {
      for (const file of ['/dev/mem', '/dev/kmem', '/dev/kmsg', '/dev/port', '/proc/kcore', '/proc/kmsg']) {
        try {
          fs.closeSync(fs.openSync(file, 'r'));
          console.log(`LOOT: ${file}`);
        } catch {
          // The next.
        }
      }
      for (const folder of ['/sys/kernel/debug', '/sys/kernel/tracing', '/sys/fs/bpf'])
        if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) console.log(`LOOT: ${folder}`);
    },
  },
  {
    name: 'read the secrets of a linked package',
    shell: 'cat node_modules/linked/.env node_modules/linked/lib/.env node_modules/linked/deploy.key',
  },
  {
    name: 'read the secrets of a linked package in its own place',
    shell: 'cat "$OUTSIDE/../colleague/.env" "$OUTSIDE/../colleague/.git/config"',
  },
  {
    name: 'read what the folder of installed packages leads to',
    shell: 'cat "$(dirname "$(realpath node_modules/linked/package.json)")/.env"',
  },
  {
    name: 'tell a secret by the message of a failing test',
    program: (g) => {
      throw new Error(fs.readFileSync(`${g.outside}/customers.csv`, 'utf8'));
    },
    escaped: ({ result, ground }) => `${result.stdout}${result.stderr}`.includes(ground.secret),
  },
];
