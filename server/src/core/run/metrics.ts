// Figures of unattended runs in the text format of Prometheus (version 0.0.4).

import { prometheusText, type PrometheusMetric } from '../../util/prometheusText.ts';
import type { NightState } from '../model/nights.ts';
import { determineStateParts } from './live.ts';
import type { LiveState } from './liveState.ts';
import type { Night } from './nightTypes.ts';

export { METRICS_TYPE } from '../../util/prometheusText.ts';

/** Measurements of the operating-system process in which the run works. */
export interface ProcessFigures {
  readonly rssBytes: number;
  readonly cpuSeconds: number;
}

const NIGHT_STATES: readonly NightState[] = ['running', 'waiting', 'needsPerson', 'stopped'];

/**
 * The figures in the text format of Prometheus. `nights`: all nights of a repository, oldest first. Without a night,
 * the gauges of the newest night have no sample. `modelMetrics`: the figures of the model in use. `live`: the state of
 * the process that works on the newest night; null if none is known.
 */
export function metricsText(
  nights: readonly Night[],
  { rssBytes, cpuSeconds }: ProcessFigures,
  modelMetrics: readonly PrometheusMetric[],
  live: LiveState | null = null,
): string {
  const misses = nights.flatMap((night) => night.misses);
  const count = (missKind: Night['misses'][number]['what']) => misses.filter((miss) => miss.what === missKind).length;
  const committedCount = nights.reduce(
    (sum, night) => sum + night.runs.reduce((total, run) => total + run.committed, 0),
    0,
  );
  const rejected = (['refused', 'rolledBack', 'brokeDown'] as const).map((reason) => ({
    labels: { reason },
    value: count(reason),
  }));
  const failedCount = rejected.reduce((sum, { value }) => sum + value, 0);
  const droppedCount = nights.reduce((sum, { droppedMisses = 0 }) => sum + droppedMisses, 0);
  const night = nights.at(-1);
  const current = night && determineStateParts(night, live);
  const metrics: readonly PrometheusMetric[] = [
    {
      name: 'genesis_improvement_cycles_total',
      type: 'counter',
      help: 'Proposals of unattended runs that were judged.',
      samples: [{ value: committedCount + failedCount + count('asks') + droppedCount }],
    },
    {
      name: 'genesis_improvements_deployed_total',
      type: 'counter',
      help: 'Changes that unattended runs have committed to their branches.',
      samples: [{ value: committedCount }],
    },
    {
      name: 'genesis_improvements_rejected_total',
      type: 'counter',
      help: 'Proposals that a check refused, that were rolled back, or whose checks broke down.',
      samples: rejected,
    },
    ...modelMetrics,
    {
      name: 'selfware_night_waiting_proposals',
      type: 'gauge',
      help: 'Proposals of the newest night that only a person may decide.',
      samples: night ? [{ value: night.misses.filter(({ what }) => what === 'asks').length }] : [],
    },
    {
      name: 'selfware_night_state',
      type: 'gauge',
      help: 'The state of the newest night: 1 for the one that holds.',
      samples: night
        ? NIGHT_STATES.map((state) => ({ labels: { state }, value: current?.state === state ? 1 : 0 }))
        : [],
    },
    {
      name: 'selfware_night_degraded',
      type: 'gauge',
      help: '1 if the newest night works with less than it should have.',
      samples: current ? [{ value: current.isDegraded ? 1 : 0 }] : [],
    },
    {
      name: 'selfware_night_draining',
      type: 'gauge',
      help: '1 if the newest night ends after its current step.',
      samples: current ? [{ value: current.isDraining ? 1 : 0 }] : [],
    },
    {
      name: 'process_resident_memory_bytes',
      type: 'gauge',
      help: 'Resident memory of the process of the run.',
      samples: [{ value: rssBytes }],
    },
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Processor time of the process of the run.',
      samples: [{ value: cpuSeconds }],
    },
  ];
  return prometheusText(metrics);
}
