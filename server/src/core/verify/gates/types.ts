// Gate 4: the repository's own type check finds nothing that it did not find before.

import { detectTypes } from '../detect/typesCommand.ts';
import { unknown, type Gate } from '../gate.ts';
import { parseTypeErrors } from '../parse/typeErrors.ts';
import { compareProblems, sameCommandOnBase } from './comparing.ts';

export const types: Gate = async (run, signal) => {
  if (!run.context.trusted) return unknown('Not run: the workspace is not trusted.');
  const command = detectTypes(await run.project(), run.context.settings.typesCommand);
  if (!command) return unknown('No type check was found.');
  return compareProblems({
    noun: 'type error',
    candidate: await run.candidate(command, signal),
    base: sameCommandOnBase(run, command, signal),
    parse: ({ output }) => parseTypeErrors(output),
    keyOf: ({ path, code, message }) => `${path}\0${code}\0${message}`,
  });
};
