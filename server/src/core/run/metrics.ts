// Figures of unattended runs in the text format of Prometheus (version 0.0.4).

import type { Night } from './nights.ts';

/** The content type of the text. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface ProcessFigures {
  readonly rssBytes: number;
  readonly cpuSeconds: number;
}

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

const STATES: readonly Night['state'][] = ['running', 'waiting', 'needsPerson', 'stopped'];

/** `nights`: all of a repository; the last one is in progress. What was not measured has no sample. */
export function metricsText(nights: readonly Night[], { rssBytes, cpuSeconds }: ProcessFigures): string {
  const misses = nights.flatMap((night) => night.misses);
  const count = (what: Night['misses'][number]['what']) => misses.filter((miss) => miss.what === what).length;
  const deployed = nights.reduce((sum, night) => sum + night.runs.reduce((all, run) => all + run.committed, 0), 0);
  const rejected = (['refused', 'rolledBack', 'brokeDown'] as const).map((reason) => ({
    labels: { reason },
    value: count(reason),
  }));
  const failed = rejected.reduce((sum, { value }) => sum + value, 0);
  const night = nights.at(-1);
  const metrics: readonly Metric[] = [
    {
      name: 'genesis_improvement_cycles_total',
      type: 'counter',
      help: 'Proposals of unattended runs that were judged.',
      samples: [{ value: deployed + failed + count('asks') }],
    },
    {
      name: 'genesis_improvements_deployed_total',
      type: 'counter',
      help: 'Changes that unattended runs have committed to their branches.',
      samples: [{ value: deployed }],
    },
    {
      name: 'genesis_improvements_rejected_total',
      type: 'counter',
      help: 'Proposals that a check refused, that were rolled back, or whose checks broke down.',
      samples: rejected,
    },
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
      samples: night ? STATES.map((state) => ({ labels: { state }, value: night.state === state ? 1 : 0 })) : [],
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
  return metrics.map(textOf).join('');
}

function textOf({ name, type, help, samples }: Metric): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** Our own labels need no escapes: they are words of the code. */
function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
