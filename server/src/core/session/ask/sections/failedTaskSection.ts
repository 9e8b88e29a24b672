// Creates the façade's `failedTasks` section: tasks on which all attempts of models and agents have failed.

import type { FailedTasks } from './sectionTypes.ts';
import type { SessionContext } from '../../context.ts';
import { describeFailedTask, findInterventions, listFailedTasks } from '../interventions.ts';

/** Creates the section of one session. */
export function createFailedTaskSection(context: SessionContext): FailedTasks {
  return {
    interventions: (id) => findInterventions(context, id),
    all: () => listFailedTasks(context),
    describe: (task) => describeFailedTask(context, task),
    drop: async (task) => {
      await context.ledger.record({ type: 'taskDropped', data: { task, by: 'person' } });
      context.emit({ type: 'status' });
    },
  };
}
