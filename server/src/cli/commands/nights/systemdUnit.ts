// Creates the text of a unit with which systemd runs an unattended run as a service of the user.

import { basename } from 'node:path';

/** The command of the service, and the environment from which it gets some variables. */
interface Service {
  readonly rootDir: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The variables that the unit passes on, because systemd starts services with a minimal environment. Keys of models are
 * not among them, because others may be able to read the unit.
 */
const PASSED_VARIABLES = ['PATH', 'SELFWARE_HOME', 'SELFWARE_IGNORE_LOAD', 'LANG', 'TZ'];
/** The name of the unit, without `.service`, in the instructions at its beginning. */
const UNIT_NAME = 'selfware-night';
/**
 * Seconds that systemd waits for the end of the service. The supervisor needs at most eight for a graceful shutdown.
 */
const STOP_SECONDS = 15;

/**
 * The text of a user unit. systemd does not restart the service, because the supervisor in it starts the run again
 * after a crash.
 */
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

/** An argument of the command. Dollar signs are doubled, because systemd would replace variables in it. */
function quoteArgument(text: string): string {
  return quoteValue(text).replaceAll('$', '$$$$');
}

function quoteValue(text: string): string {
  return `"${escapeValue(text).replaceAll('"', '\\"')}"`;
}

/** The text with escaped backslashes, specifiers (`%`) and control characters. */
function escapeValue(text: string): string {
  return [...text.replaceAll('\\', '\\\\').replaceAll('%', '%%')]
    .map((character) => (character < ' ' ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}` : character))
    .join('');
}
