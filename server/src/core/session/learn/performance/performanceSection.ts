// Creates the façade's `performance` section: figures of Selfware's own performance, and missed targets.

import { SelfwareError } from '../../../../util/typedError.ts';
import { findBottlenecks } from '../../../learn/performance/bottlenecks.ts';
import { computeFigures } from '../../../learn/performance/figures.ts';
import { computeConfidence, computeOutcomes, type AskedBottleneck } from '../../../learn/performance/outcomes.ts';
import { determineOutcome } from '../../../ledger/changeOutcome.ts';
import type { RecordedEvent } from '../../../ledger/events.ts';
import type { Metric } from '../../../model/bottlenecks.ts';
import type { Millis } from '../../../model.ts';
import { getProgramVersion, type SessionContext } from '../../context.ts';
import { readEvents } from '../lessonEvidence.ts';
import { findMeasurements, MEASURED_EVENTS } from './measurements.ts';
import type { Performance, PerformanceReport, TrustedBottleneck } from './performanceTypes.ts';

/** Path of a file that exists only in Selfware's own repository. */
const OWN_FILE = 'server/src/core/charter/protectedPaths.ts';
/** For each metric that a benchmark can judge: whether the benchmark measures speed or memory. */
const CLAIM_BY_METRIC: Readonly<Partial<Record<Metric, 'speed' | 'memory'>>> = {
  indexing: 'speed',
  search: 'speed',
  memory: 'memory',
};

/** Creates the section of one session. */
export function createPerformanceSection(context: SessionContext): Performance {
  return {
    report: (since) => createReport(context, since),
    async task(metric) {
      const { bottlenecks } = await createReport(context);
      const bottleneck = bottlenecks.find((candidate) =>
        metric === null ? CLAIM_BY_METRIC[candidate.metric] : candidate.metric === metric,
      );
      if (!bottleneck)
        throw new SelfwareError(
          'usage',
          `Nothing that a benchmark can judge misses its target${metric === null ? '' : ` at ${metric}`}.`,
          {
            action: 'See `selfware performance`.',
          },
        );
      const gain = CLAIM_BY_METRIC[bottleneck.metric];
      if (!gain)
        throw new SelfwareError('usage', `No benchmark can judge ${bottleneck.metric}.`, {
          action: 'Correct it by hand, or ask with `selfware propose --request`.',
        });
      await requireOwnRepository(context);
      return { task: { gain, about: describeBottleneck(bottleneck), metric: bottleneck.metric }, bottleneck };
    },
    asked: async (data) => {
      await context.ledger.record({ type: 'bottleneckAsked', data: { ...data, program: getProgramVersion(context) } });
    },
  };
}

async function createReport(context: SessionContext, since: Millis = 0): Promise<PerformanceReport> {
  const events = readEvents(await context.ledger.query({ types: MEASURED_EVENTS }));
  const now = context.ports.clock.now();
  const measurements = findMeasurements(events);
  const figures = computeFigures(measurements, now, { since, targets: context.settings['performance.targets'] });
  const askedBottlenecks = await findAskedBottlenecks(context, events);
  return {
    figures,
    bottlenecks: findBottlenecks(figures).map((bottleneck) => ({
      ...bottleneck,
      confidence: computeConfidence(bottleneck.strategy, askedBottlenecks),
    })),
    outcomes: computeOutcomes(askedBottlenecks, measurements, now),
  };
}

/** The bottlenecks for which a proposer was asked, each with the state of the change that resulted. */
async function findAskedBottlenecks(
  { ledger }: SessionContext,
  events: readonly RecordedEvent[],
): Promise<readonly AskedBottleneck[]> {
  const keptAt = new Map(events.flatMap((event) => (event.type === 'kept' ? [[event.data.proposal, event.at]] : [])));
  const askedBottlenecks: AskedBottleneck[] = [];
  for (const event of events) {
    if (event.type !== 'bottleneckAsked') continue;
    const { proposal } = event.data;
    const change = proposal === null ? null : await ledger.proposal(proposal);
    const status = change && (determineOutcome(change) === 'rolledBack' ? 'rolledBack' : change.status);
    const wasKeptAt = status === 'kept' && proposal !== null ? (keptAt.get(proposal) ?? null) : null;
    askedBottlenecks.push({ ...event.data, at: event.at, status, keptAt: wasKeptAt });
  }
  return askedBottlenecks;
}

/** Throws `usage` unless this is Selfware's own repository and a benchmark is configured. */
async function requireOwnRepository({ ports, settings }: SessionContext): Promise<void> {
  if ((await ports.files.stat(OWN_FILE)) === null)
    throw new SelfwareError('usage', 'The code that would have to change is that of Selfware, which is not here.', {
      action: 'Run this in a clone of Selfware.',
    });
  if (settings['verify.benchCommand'].trim() === '')
    throw new SelfwareError('usage', 'No benchmark is configured, so no gain could be shown.', {
      action: 'Set `selfware.verify.benchCommand`.',
    });
}

/** The bottleneck and the strategy against it, in words for a proposer. */
function describeBottleneck({ metric, value, target, strategy, tactics }: TrustedBottleneck): string {
  const roundFigure = (number: number) => Number(number.toPrecision(3));
  return [
    `The figure “${metric}” of this program is ${roundFigure(value)}, and its target is ${target}.`,
    `Strategy: ${strategy}.`,
    ...tactics,
  ].join(' ');
}
