// Offers the figures of a run to Prometheus while it is in progress, if the person has set a port.

import { resolveDataFolder } from '../../../adapters/files/stateFolder.ts';
import { readOrCreateLoopbackToken } from '../../../adapters/run/loopbackToken.ts';
import { offerMetrics } from '../../../adapters/run/metricsServer.ts';
import { collectModelMetrics } from '../../../core/learn/training/trainingMetrics.ts';
import { METRICS_TYPE, metricsText } from '../../../core/run/metrics.ts';
import { readTrainingState } from '../../../core/session/training/trainingSection.ts';
import { loadEffectiveSettings } from '../../teamSettings.ts';
import { loadNights, type NightContext } from '../night.ts';
import type { LiveWriter } from './liveWriter.ts';

/**
 * Starts the server of the figures; the returned function closes it. If the port cannot be used, sends a note as an
 * event of the run.
 */
export async function openMetrics({
  request,
  repository,
  live,
}: Pick<NightContext, 'request' | 'repository'> & {
  readonly live: Pick<LiveWriter, 'state'>;
}): Promise<() => Promise<void>> {
  const { rootDir, personSettings, env, onEvent } = request;
  const port = loadEffectiveSettings(rootDir, personSettings).settings['night.metricsPort'];
  if (port === 0) return async () => undefined;
  try {
    const token = await readOrCreateLoopbackToken(resolveDataFolder(env, process.platform));
    const createMetricsText = async () => {
      const { user, system } = process.cpuUsage();
      const processFigures = { rssBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
      const { ledger } = repository;
      const modelMetrics = collectModelMetrics(await readTrainingState(ledger, null));
      return metricsText(await loadNights(ledger), processFigures, modelMetrics, live.state());
    };
    const server = await offerMetrics({ port, token, type: METRICS_TYPE, text: createMetricsText });
    return () => server.close();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    onEvent({ type: 'note', text: `The figures are not offered on port ${port} (night.metricsPort): ${code}.` });
    return async () => undefined;
  }
}
