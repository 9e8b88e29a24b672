// Writes the unit with which systemd runs an unattended run as a service of the person.

import { basename } from 'node:path';

/** The command of the service, and the variables that it needs. */
interface Service {
  readonly rootDir: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A unit has a minimal environment. Keys are not among these, because a unit is a file that others may read. */
const PASSED_VARIABLES = ['PATH', 'SELFWARE_HOME', 'SELFWARE_IGNORE_LOAD', 'LANG', 'TZ'];
const UNIT_NAME = 'selfware-night';
/** Longer than the worker gets to end. */
const STOP_SECONDS = 15;

/** The text of a user unit. The supervisor in it starts the run again after a crash, so systemd does not. */
export function createSystemdUnit({ rootDir, command, env }: Service): string {
  const variables = PASSED_VARIABLES.flatMap((name) =>
    env[name] ? [`Environment=${quoteValue(`${name}=${env[name]}`)}`] : [],
  );
  return [
    `# Save it as ~/.config/systemd/user/${UNIT_NAME}.service. Then:`,
    '#   systemctl --user daemon-reload',
    `#   systemctl --user start ${UNIT_NAME}     (stop ends the run within seconds)`,
    '[Unit]',
    `Description=Selfware: an unattended run in ${escapeValue(basename(rootDir))}`,
    '',
    '[Service]',
    'Type=exec',
    ...variables,
    '# Keys of models, such as OPENAI_API_KEY, belong into a file that only you can read:',
    '# EnvironmentFile=%h/.config/selfware-keys',
    `ExecStart=${command.map(quoteArgument).join(' ')}`,
    'Restart=no',
    'KillMode=mixed',
    `TimeoutStopSec=${STOP_SECONDS}`,
    'Nice=10',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** An argument of a command, in which systemd would also replace variables. */
function quoteArgument(text: string): string {
  return quoteValue(text).replaceAll('$', '$$$$');
}

function quoteValue(text: string): string {
  return `"${escapeValue(text).replaceAll('"', '\\"')}"`;
}

/** The text without specifiers, escapes and control characters of its own. */
function escapeValue(text: string): string {
  return [...text.replaceAll('\\', '\\\\').replaceAll('%', '%%')]
    .map((character) => (character < ' ' ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}` : character))
    .join('');
}
