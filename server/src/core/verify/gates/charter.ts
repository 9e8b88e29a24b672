// The charter allows these edits.

import { failed, passed, type Gate } from '../gate.ts';

export const charter: Gate = async ({ context, edits }) => {
  const answer = await context.checkCharter(edits);
  return answer.allowed ? passed('No protected path is touched.') : failed(answer.reason);
};
