// Isolates commands by sandbox-exec(1) of macOS. Written from its documentation and published profiles, and never
// tested on a Mac, so it is used only if the probe shows that it works.

import { createLimitLines } from '../limits.ts';
import { createLayers, type Enclosure } from './enclosure.ts';
import { explainMissingPrograms, findSystemProgram, type Mechanism } from './mechanism.ts';

/** Isolation by sandbox-exec. It needs macOS with this program. */
export const sandboxExec: Mechanism = {
  kind: 'sandbox-exec',
  canMount: false,
  canOverlay: false,
  filtersCalls: false,
  explainMissing: () => (process.platform === 'darwin' ? explainMissingPrograms(['sandbox-exec']) : 'only on macOS'),
  enclose(command, _cwd, enclosure, limits) {
    const hasOwnNamespace = false;
    const innerScript = [...createLimitLines(limits, hasOwnNamespace), 'exec "$@"'].join('\n');
    return [
      // The fallback name is only needed for the type: if the program is missing, `explainMissing` reports it, and nothing is
      // enclosed.
      findSystemProgram('sandbox-exec') ?? 'sandbox-exec',
      '-p',
      formatProfile(enclosure),
      '/bin/sh',
      '-c',
      innerScript,
      'sh',
      ...command,
    ];
  },
};

/**
 * The profile of a command, in which the last matching rule decides. macOS has no process namespaces, so at the end
 * only the processes in the command's group are stopped.
 */
function formatProfile(enclosure: Enclosure): string {
  const rules = [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(allow network* (local ip "localhost:*"))',
    '(allow network* (remote ip "localhost:*"))',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
  ];
  for (const { path, kind } of createLayers(enclosure)) {
    const place = `(subpath ${JSON.stringify(path)})`;
    if (kind === 'writable') rules.push(`(allow file-read* file-write* ${place})`, `(allow network* ${place})`);
    else if (kind === 'readable') rules.push(`(allow file-read* ${place})`);
    // Names of folders may be looked up on the path to visible places inside them.
    else rules.push(`(deny file-read* file-write* network* ${place})`, `(allow file-read-metadata ${place})`);
  }
  return rules.join('\n');
}
