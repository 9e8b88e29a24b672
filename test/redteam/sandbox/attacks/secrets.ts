// Attacks that read what is nobody's business.

import type { Attack } from '../attack.ts';

// Globals of `node -e`.
declare const fs: typeof import('node:fs');

export const SECRETS: readonly Attack[] = [
  ...['.ssh/id_ed25519', '.aws/credentials', '.npmrc', '.config/gh/hosts.yml', '.netrc'].map((file): Attack => ({ name: `read ~/${file}`, shell: `cat "$USERHOME/${file}"` })),
  { name: 'read the home folder by a symlink', program: (g) => (fs.symlinkSync(g.home, `home-${g.mark}`), console.log(fs.readFileSync(`home-${g.mark}/.netrc`, 'utf8'))) },
  { name: 'read a secret by a hard link', program: (g) => (fs.linkSync(`${g.home}/.netrc`, `netrc-${g.mark}`), console.log(fs.readFileSync(`netrc-${g.mark}`, 'utf8'))) },
  { name: 'find the secret in its environment', program: () => console.log(JSON.stringify(process.env)) },
  { name: 'read the environment of other processes', program: () => {
    for (const pid of fs.readdirSync('/proc')) {
      try {
        console.log(fs.readFileSync(`/proc/${pid}/environ`, 'utf8'));
      } catch {
        // The next.
      }
    }
  } },
  { name: 'read what git ignores in the user’s tree', program: (g) => console.log(fs.readFileSync(`${g.repository}/.env`, 'utf8')) },
  { name: 'read what git ignores next to an installed package', shell: 'cat "$(dirname "$(realpath node_modules/lent)")/../.env"' },
  { name: 'read the state folder', program: (g) => console.log(fs.readFileSync(`${g.stateDir}/ledger.db`, 'utf8')) },
  { name: 'look under a hidden folder', shell: 'unshare --user --map-root-user --mount sh -c \'umount -l "$USERHOME"; umount -l "$(dirname "$USERHOME")"; umount -l "$REPOSITORY"; cat "$USERHOME/.netrc" "$REPOSITORY/.env"\'' },
  { name: 'read the memory of another process', program: (g) => {
    for (const pid of [g.parent, g.bystander]) {
      try {
        fs.closeSync(fs.openSync(`/proc/${pid}/mem`, 'r'));
        console.log(`LOOT: memory of ${pid}`);
      } catch {
        // The next.
      }
    }
  } },
];
