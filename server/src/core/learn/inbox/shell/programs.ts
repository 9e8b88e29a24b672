// Lists programs that command lines start, and how a command line with them is judged: programs that only read, and
// programs that are refused.

/**
 * Programs that only read, with the options that are allowed, spelled exactly like this. Options that are numbers
 * (`-5`) are always allowed. With any other option, such as a cluster or an abbreviation, the effects are unknown.
 */
export const OPTIONS_OF_READERS: ReadonlyMap<string, string> = new Map([
  ...['basename', 'cd', 'dirname', 'false', 'pwd', 'realpath', 'seq', 'tac', 'true', 'which'].map(
    (name): [string, string] => [name, ''],
  ),
  ['cat', '-n'],
  ['comm', '-1 -2 -3 -12 -13 -23'],
  ['cut', '-d -f -c'],
  ['df', '-h'],
  ['diff', '-u -r -q -w'],
  ['du', '-s -h -sh'],
  ['echo', '-n'],
  ['find', '-name -iname -path -type -maxdepth -mindepth -not -o -size -mtime -newer -print -print0 -prune -empty'],
  ['grep', '-r -n -i -l -c -v -w -o -q -E -F -e -A -B -C -rn -rni -rl -in --include --exclude --exclude-dir'],
  ['head', '-n -c'],
  ['jq', '-r -c'],
  ['ls', '-l -a -A -R -1 -t -la -al -lh -lah'],
  ['md5sum', ''],
  ['readlink', '-f'],
  ['rg', '-n -i -l -c -w -o -F -g -t -A -B -C --files'],
  ['sha256sum', ''],
  ['sort', '-u -r -n -k -t -rn -nr'],
  ['stat', ''],
  ['tail', '-n -c'],
  ['tr', '-d -s'],
  ['wc', '-l -w -c'],
]);

/**
 * Programs that only read, but write to a file if an operand names one (`uniq IN OUT`), with the words that are
 * allowed. With any other word that is not a number as an option, the effects are unknown.
 */
export const CLOSED_READERS: ReadonlyMap<string, string> = new Map([['uniq', '-c -d -u -i']]);

/**
 * Subcommands of git that only read, with the options that are allowed. With any other option, the effects are unknown.
 */
export const GIT_READERS: ReadonlyMap<string, string> = new Map([
  ['blame', '-L -w --'],
  ['cat-file', '-p -t -s -e'],
  ['describe', '--tags --always'],
  ['diff', '--stat --numstat --name-only --name-status --cached --staged -w --'],
  ['grep', '-n -i -l -c -w -E -F -e --'],
  ['log', '--oneline --stat -n -p --graph --all --name-only --name-status --no-merges --since --author --follow --'],
  ['ls-files', '--others --modified --exclude-standard --'],
  ['ls-tree', '-r --name-only'],
  ['merge-base', ''],
  ['rev-list', '--count --all'],
  ['rev-parse', '--short --abbrev-ref --show-toplevel'],
  ['shortlog', '-s -n -sn'],
  ['show', '--stat --name-only --oneline --'],
  ['status', '-s --short --porcelain'],
]);
/**
 * Subcommands of git, of one or two words, that only read with the words that are allowed. With any other word, they
 * are refused.
 */
export const GIT_CLOSED_READERS: ReadonlyMap<string, string> = new Map([
  ['branch', '-a -r -v -vv --all --list --show-current'],
  ['remote', '-v'],
  ['tag', '-l --list'],
  ['stash list', ''],
  ['worktree list', ''],
]);

/** Reason for a refusal of programs that destroy data, as the end of a sentence. */
const DESTROYS_REASON = 'it removes or overwrites files';
/** Reason for a refusal of programs that act outside of the repository, as the end of a sentence. */
const OUTSIDE_REASON = 'it acts on other machines or on the system';
/**
 * Reason for a refusal of programs that run code from an argument, whose effects cannot be determined. The end of a
 * sentence.
 */
export const RUNS_TEXT_REASON = 'it runs text as a program, which cannot be read here';

/** By program that is refused: the reason, as the end of a sentence. */
export const REASON_BY_REFUSED_PROGRAM: ReadonlyMap<string, string> = new Map([
  ...['cp', 'dd', 'fallocate', 'install', 'ln', 'mv', 'patch', 'rm', 'rmdir', 'shred', 'tee', 'truncate', 'unlink'].map(
    (name): [string, string] => [name, DESTROYS_REASON],
  ),
  ...['chattr', 'chgrp', 'chmod', 'chown', 'fdisk', 'mkfs', 'mkswap', 'mount', 'parted', 'umount', 'wipefs'].map(
    (name): [string, string] => [name, DESTROYS_REASON],
  ),
  ...['aws', 'az', 'curl', 'docker', 'ftp', 'gcloud', 'gh', 'helm', 'heroku', 'kubectl', 'mail', 'nc', 'podman'].map(
    (name): [string, string] => [name, OUTSIDE_REASON],
  ),
  ...['rsync', 'scp', 'sendmail', 'sftp', 'ssh', 'telnet', 'terraform', 'wget', 'psql', 'mysql', 'redis-cli'].map(
    (name): [string, string] => [name, OUTSIDE_REASON],
  ),
  ...['crontab', 'halt', 'init', 'kill', 'killall', 'pkill', 'poweroff', 'reboot', 'service', 'shutdown'].map(
    (name): [string, string] => [name, OUTSIDE_REASON],
  ),
  ...['apk', 'apt', 'apt-get', 'brew', 'dnf', 'doas', 'dpkg', 'pacman', 'su', 'sudo', 'systemctl', 'yum'].map(
    (name): [string, string] => [name, OUTSIDE_REASON],
  ),
  ...['.', 'eval', 'exec', 'source', 'trap', 'alias'].map((name): [string, string] => [name, RUNS_TEXT_REASON]),
]);

/** By interpreter: matches the options and operands with which it runs text from the command line or from its input. */
export const TEXT_OPTIONS_OF_INTERPRETERS: ReadonlyMap<string, RegExp> = new Map([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish'].map((name): [string, RegExp] => [name, /^(?:-\w*[cs]\w*|-)$/]),
  ...['python', 'python3'].map((name): [string, RegExp] => [name, /^(?:-\w*c.*|-)$/]),
  ...['node', 'deno', 'bun', 'tsx'].map((name): [string, RegExp] => [
    name,
    /^(?:-\w*[ep]\w*|--eval.*|--print.*|eval|-)$/,
  ]),
  ...['perl', 'ruby', 'php', 'lua'].map((name): [string, RegExp] => [name, /^(?:-\w*[eEr].*|-)$/]),
]);

/** Programs that start the programs named by their operands. */
export const WRAPPER_PROGRAMS: ReadonlySet<string> = new Set([
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

/** Words that, as arguments of a runner such as npm or make, name a task that destroys something or reaches outside. */
export const REFUSED_TARGETS: ReadonlySet<string> = new Set([
  '-delete',
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
