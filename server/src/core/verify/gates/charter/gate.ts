// Checks that the charter allows these edits.

import type { Gate } from '../../gate.ts';
import { failed, passed } from '../../answer.ts';

export const gate: Gate = async ({ context, edits }) => {
  const answer = await context.checkCharter(edits);
  return answer.allowed ? passed('No protected path is touched.') : failed(answer.reason);
};
