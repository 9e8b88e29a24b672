// Creates the façade's `tasks` section: context for people or agents that work on a task, and notes that they leave.

import { SelfwareError } from '../../../util/typedError.ts';
import { IMPORTANCE_BY_TIER } from '../../memory/episodic.ts';
import type { Tasks } from './taskTypes.ts';
import type { SessionContext } from '../context.ts';
import { recordFocus, packTask, renderTask } from './packing.ts';

/**
 * Maximum number of characters of a note. A longer text is cut off, because it is a document and belongs in the
 * repository.
 */
const MAX_NOTE_CHARACTERS = 2_000;

/** Creates the section of one session. */
export function createTaskSection(context: SessionContext): Tasks {
  return {
    context: (request, signal) => packTask(context, request, signal),
    render: (pack, signal, options) => renderTask(context, pack, signal, options),
    lookAt: (path) => recordFocus(context, path),
    async remember({ text, tier }) {
      if (text.trim() === '') throw new SelfwareError('usage', 'There is nothing to remember in an empty text.');
      await context.ledger.record({
        type: 'remembered',
        data: { text: text.trim().slice(0, MAX_NOTE_CHARACTERS), importance: IMPORTANCE_BY_TIER[tier], tier },
      });
    },
  };
}
