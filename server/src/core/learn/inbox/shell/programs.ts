// What programs do when a command line starts them: those that only read, and those that are refused.

/** A program that only reads, unless it is given one of these options. */
interface Reader {
  /** Beginnings of options with which it may write or start a program. */
  readonly except?: readonly string[];
  /** Maximum number of operands; further ones are written to. */
  readonly operands?: number;
}

/** Programs that only read, as POSIX and GNU describe them. */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...[
    'basename',
    'cat',
    'cd',
    'cksum',
    'cmp',
    'column',
    'comm',
    'cut',
    'df',
    'diff',
    'dirname',
    'du',
    'echo',
    'egrep',
    'expr',
    'false',
    'fgrep',
    'fold',
    'grep',
    'head',
    'jq',
    'join',
    'ls',
    'md5sum',
    'nl',
    'od',
    'paste',
    'printf',
    'pwd',
    'readlink',
    'realpath',
    'seq',
    'sha1sum',
    'sha256sum',
    'stat',
    'tac',
    'tail',
    'test',
    'tr',
    'true',
    'tsort',
    'type',
    'wc',
    'which',
    '[',
  ].map((name): [string, Reader] => [name, {}]),
  ['find', { except: ['-delete', '-exec', '-ok', '-fprint', '-fls'] }],
  ['rg', { except: ['--pre', '--hostname-bin', '-z', '--search-zip'] }],
  ['sort', { except: ['-o', '--o', '--compress', '-T', '--t'] }],
  ['tree', { except: ['-o'] }],
  ['uniq', { operands: 1 }],
]);

/** Subcommands of git that only read, with the options that write files or start programs. */
export const GIT_READERS: ReadonlySet<string> = new Set([
  'blame',
  'cat-file',
  'count-objects',
  'describe',
  'diff',
  'diff-tree',
  'for-each-ref',
  'grep',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'name-rev',
  'rev-list',
  'rev-parse',
  'shortlog',
  'show',
  'status',
]);
export const GIT_EXCEPT: readonly string[] = ['--output', '--ext-diff', '--textconv', '-O', '--open-files'];
/** Subcommands of git that only read if nothing but an option or the word `list` follows. */
export const GIT_LISTS: ReadonlySet<string> = new Set(['branch', 'tag', 'remote', 'stash', 'worktree']);
export const GIT_LIST_OPTIONS: ReadonlySet<string> = new Set([
  '-a',
  '-l',
  '-r',
  '-v',
  '-vv',
  '--all',
  '--list',
  'list',
]);

const DESTROYS = 'it removes or overwrites files';
const OUTSIDE = 'it acts on other machines or on the system';
const RUNS_TEXT = 'it runs text as a program, which cannot be read here';

/** Programs that are refused, with the reason. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ...['cp', 'dd', 'fallocate', 'install', 'ln', 'mv', 'patch', 'rm', 'rmdir', 'shred', 'tee', 'truncate', 'unlink'].map(
    (name): [string, string] => [name, DESTROYS],
  ),
  ...['chattr', 'chgrp', 'chmod', 'chown', 'fdisk', 'mkfs', 'mkswap', 'mount', 'parted', 'umount', 'wipefs'].map(
    (name): [string, string] => [name, DESTROYS],
  ),
  ...['aws', 'az', 'curl', 'docker', 'ftp', 'gcloud', 'gh', 'helm', 'heroku', 'kubectl', 'mail', 'nc', 'podman'].map(
    (name): [string, string] => [name, OUTSIDE],
  ),
  ...['rsync', 'scp', 'sendmail', 'sftp', 'ssh', 'telnet', 'terraform', 'wget', 'psql', 'mysql', 'redis-cli'].map(
    (name): [string, string] => [name, OUTSIDE],
  ),
  ...['crontab', 'halt', 'init', 'kill', 'killall', 'pkill', 'poweroff', 'reboot', 'service', 'shutdown'].map(
    (name): [string, string] => [name, OUTSIDE],
  ),
  ...['apk', 'apt', 'apt-get', 'brew', 'dnf', 'doas', 'dpkg', 'pacman', 'su', 'sudo', 'systemctl', 'yum'].map(
    (name): [string, string] => [name, OUTSIDE],
  ),
  ...['.', 'eval', 'exec', 'source', 'trap', 'alias'].map((name): [string, string] => [name, RUNS_TEXT]),
]);

/** Interpreters, and options with which they run text from the command line. */
export const INTERPRETERS: ReadonlyMap<string, RegExp> = new Map([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish'].map((name): [string, RegExp] => [name, /^(?:-\w*[cs]\w*|-)$/]),
  ...['python', 'python3'].map((name): [string, RegExp] => [name, /^(?:-\w*c.*|-)$/]),
  ...['node', 'deno', 'bun', 'tsx'].map((name): [string, RegExp] => [
    name,
    /^(?:-\w*[ep]\w*|--eval.*|--print.*|eval|-)$/,
  ]),
  ...['perl', 'ruby', 'php', 'lua'].map((name): [string, RegExp] => [name, /^(?:-\w*[eEr].*|-)$/]),
]);
export { RUNS_TEXT };

/** Programs that start what their operands name. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  'builtin',
  'busybox',
  'command',
  'env',
  'ionice',
  'nice',
  'nohup',
  'parallel',
  'setsid',
  'stdbuf',
  'strace',
  'time',
  'timeout',
  'watch',
  'xargs',
]);

/** Words that name something destructive, or something that reaches outside, when a runner is given them. */
export const REFUSED_TARGETS: ReadonlySet<string> = new Set([
  'clean',
  'deploy',
  'destroy',
  'distclean',
  'drop',
  'install',
  'login',
  'logout',
  'migrate',
  'prune',
  'publish',
  'purge',
  'push',
  'release',
  'remove',
  'reset',
  'rm',
  'uninstall',
  'unpublish',
  'update',
  'upgrade',
  'wipe',
]);
