// Measures the resources that the process needs to update an index, and the size of the state folder, for the figures
// of Selfware's own performance.

import type { ProcessUse } from '../../model/bottlenecks.ts';
import type { ProcessMeter } from '../../ports/system.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { HOUR_MS } from '../../../util/timing/durations.ts';

/** Number of newest events that are read to measure how long reading the ledger takes. */
const READ_EVENTS = 500;

/** A meter, with the processor time before the work. */
export interface MeterState {
  readonly meter: ProcessMeter;
  readonly cpuBefore: number | undefined;
}

/** The resources that the process has used since `cpuBefore`. A resource that cannot be measured is absent. */
export function computeUse({ meter, cpuBefore }: MeterState): Pick<ProcessUse, 'cpuSeconds' | 'cores'> {
  const cpuAfter = meter.cpuSeconds?.();
  return {
    ...(cpuBefore === undefined || cpuAfter === undefined ? {} : { cpuSeconds: cpuAfter - cpuBefore }),
    ...(meter.cores === undefined ? {} : { cores: meter.cores }),
  };
}

/**
 * Measures the size of the state folder and the time for reading the ledger, and records both. Skipped if that was done
 * within the last hour, if there is no meter, if the ledger is damaged, or if the repository is only searched. This
 * takes a while, so nobody should wait for it.
 */
export async function measureState(context: SessionContext, meter: ProcessMeter): Promise<void> {
  if (context.isReference || !meter.databaseMb) return;
  const { ledger, ports } = context;
  await fallBackIfDamaged(context, null, async () => {
    const [lastMeasurement] = await ledger.query({ types: ['stateMeasured'], limit: 1, newestFirst: true });
    const startedAt = ports.clock.now();
    if (lastMeasurement && lastMeasurement.at <= startedAt && startedAt - lastMeasurement.at < HOUR_MS) return;
    await ledger.query({ limit: READ_EVENTS, newestFirst: true });
    const ledgerMs = ports.clock.now() - startedAt;
    const databaseMb = await meter.databaseMb?.();
    const connections = await meter.connections?.();
    await ledger.record({
      type: 'stateMeasured',
      data: {
        ...(databaseMb == null ? {} : { databaseMb }),
        ...(connections == null ? {} : { connections }),
        ledgerMs,
      },
    });
  });
}
