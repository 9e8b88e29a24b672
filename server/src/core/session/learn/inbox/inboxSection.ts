// Creates the façade's `inbox` section: commands, skills, preferences and tools that are proposed to a person.

import type { SessionContext } from '../../context.ts';
import { decideItem } from './deciding.ts';
import { proposeItem } from './filing.ts';
import { readInboxState } from './files.ts';
import type { Inbox } from './inboxTypes.ts';
import { findAppliedCommands, runAppliedCommand } from './running.ts';

/** Creates the section of one session. */
export function createInboxSection(context: SessionContext): Inbox {
  return {
    async list() {
      const { open, decided } = await readInboxState(context);
      return { open, decided: [...decided.values()].toSorted((a, b) => a.at - b.at) };
    },
    commands: () => findAppliedCommands(context),
    propose: (item, signal) => proposeItem(context, item, signal),
    decide: (decision, signal) => decideItem(context, decision, signal),
    run: (command, operation) =>
      context.operations.run(
        (signal) => runAppliedCommand(context, command, { ...operation, signal }),
        operation.signal,
      ),
  };
}
