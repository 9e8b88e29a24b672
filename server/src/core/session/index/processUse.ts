// Measures what the process uses to bring an index up to date, for the figures of Selfware's own performance.

import type { ProcessUse } from '../../model/bottlenecks.ts';
import type { ProcessMeter } from '../../ports/system.ts';
import type { SessionContext } from '../context.ts';

/** A meter, with the processor time before the work. */
export interface MeterState {
  readonly meter: ProcessMeter;
  readonly cpuBefore: number | undefined;
}

/** Measures what the process has used since `cpuBefore`. What cannot be measured is absent. */
export async function measureUse(
  { ledger, ports }: SessionContext,
  { meter, cpuBefore }: MeterState,
): Promise<ProcessUse> {
  const cpuAfter = meter.cpuSeconds?.();
  const databaseMb = await meter.databaseMb?.();
  const connections = await meter.connections?.();
  const startedAt = ports.clock.now();
  await ledger.query({ types: ['indexed'] });
  return {
    ...(cpuBefore === undefined || cpuAfter === undefined ? {} : { cpuSeconds: cpuAfter - cpuBefore }),
    ...(meter.cores === undefined ? {} : { cores: meter.cores }),
    ...(databaseMb == null ? {} : { databaseMb }),
    ...(connections == null ? {} : { connections }),
    ledgerMs: ports.clock.now() - startedAt,
  };
}
