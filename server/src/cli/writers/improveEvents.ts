// Prints the events of `selfware improve` on a terminal.

import type { CycleEvent } from '../../core/session/cycleEvents.ts';
import type { Invocation } from '../invocation.ts';
import { formatVerdict } from './human.ts';
import { formatProposal } from './proposal.ts';

/** Prints an event of a run as one or more lines. */
export function printEvent(event: CycleEvent, { out, colors }: Invocation): void {
  switch (event.type) {
    case 'cycleStarted':
      return out(colors.dim(`cycle ${event.cycle}`));
    case 'opportunityRefused':
      // A task without a file, such as a failing test, is named by its id, because the id begins with the kind of task.
      return out(
        colors.dim(
          event.path === ''
            ? `  passed over ${event.opportunity}: ${event.reason}`
            : `  passed over ${event.rule} in ${event.path} (${event.opportunity}): ${event.reason}`,
        ),
      );
    case 'proposed':
      return out(`proposed ${event.proposal.title}`);
    case 'verified':
      return out(formatProposal(event.proposal, colors));
    case 'refused':
      for (const verdict of event.proposal.verdicts.filter(({ outcome }) => outcome === 'failed'))
        out(formatVerdict(verdict, colors));
      return out(`refused: ${event.proposal.reason ?? ''}`);
    case 'putOff':
      return out(colors.yellow(`deferred, and first in line next time. ${event.reason}`));
    case 'brokeDown':
      return out(colors.yellow(`the verification broke down, and the proposal waits: ${event.reason}`));
    case 'decided':
      if (event.verdict === 'deferred' && event.by === 'charter')
        return out(
          `waits for you: ${event.reason ?? ''} Decide by \`selfware proposals approve ${event.proposal}\` or \`reject\`.`,
        );
      return out(`${event.verdict} by ${event.by === 'person' ? 'you' : 'the charter'}`);
    case 'applied':
      return out(`${colors.green('applied')}; the way back: selfware checkpoints rollback ${event.checkpoint.id}`);
    case 'stopped':
      return out(event.reason);
  }
}
