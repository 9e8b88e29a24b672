// Trains a model whenever a training is due, until it is stopped. A server on the loopback interface shows the state
// and figures, and can trigger a training.

import { setTimeout as sleep } from 'node:timers/promises';
import { resolveDataFolder } from '../../adapters/files/stateFolder.ts';
import { readOrCreateLoopbackToken } from '../../adapters/run/loopbackToken.ts';
import { offerRoutes, type MetricsServer, type Reply } from '../../adapters/run/metricsServer.ts';
import { explainDue } from '../../core/learn/training/trainingState.ts';
import { formatTrainingMetrics } from '../../core/learn/training/trainingMetrics.ts';
import { METRICS_TYPE } from '../../util/prometheusText.ts';
import { describeError, SelfwareError } from '../../util/typedError.ts';
import { requireSetUp, readThresholds, resolveTrainingPlaces } from './setUp.ts';
import { isTraining, settleTrainings, trainOnce, type TrainingRequest, type TrainingResult } from './train.ts';

/** The paths for requests. Tools for the predecessor of Selfware use them. */
const REQUEST_PATHS = {
  status: '/api/v1/genesis/improvement/status',
  trigger: '/api/v1/genesis/improvement/trigger',
} as const;

/**
 * Trains whenever a training is due. Resolves when the signal is aborted. `onEnded` receives each result. Throws
 * `usage` if something is missing, `unavailable` if the port cannot be used, and `forbidden` once Selfware is stopped.
 */
export async function serveTraining(
  request: TrainingRequest,
  onEnded: (result: TrainingResult) => void,
): Promise<void> {
  const { settings, env, rootDir, session, signal, note, now } = request;
  const places = resolveTrainingPlaces(rootDir, env);
  const { base, inUse } = requireSetUp(settings, places);
  const loadState = () => session.training.state(base);
  const thresholds = readThresholds(settings, env);
  thresholds.problems.forEach(note);
  let running: Promise<void> | null = null;
  /** Begins a training. Resolves with null once it runs, or with the reason why it cannot run. */
  const begin = () =>
    new Promise<string | null>((resolve) => {
      running = trainOnce({ ...request, onStarted: () => resolve(null) })
        .then(onEnded, (error: unknown) => {
          note(describeError(error));
          resolve(describeError(error));
        })
        .finally(() => {
          running = null;
        });
    });

  const isRunning = async () => running !== null || (await isTraining(places));
  const status = async () => createJsonReply(200, { ...(await loadState()), inUse, running: await isRunning() });
  const trigger = async () => {
    // Another request may have begun a training while the lock was checked, so `running` is read last.
    if ((await isTraining(places)) || running !== null)
      return createJsonReply(409, { running: true, error: 'A training runs already.' });
    const refused = await begin();
    return refused === null
      ? createJsonReply(202, { running: true })
      : createJsonReply(409, { running: false, error: refused });
  };
  const metrics = async () => ({
    status: 200,
    type: METRICS_TYPE,
    body: formatTrainingMetrics(await loadState()),
  });
  await session.training.throwIfStopped();
  await settleTrainings(request).catch((error: unknown) => note(describeError(error)));
  const server = await offer(request, {
    [REQUEST_PATHS.status]: { GET: status },
    [REQUEST_PATHS.trigger]: { POST: trigger },
    '/metrics': { GET: metrics },
  });
  try {
    while (!signal.aborted) {
      await session.training.throwIfStopped();
      const dueReason = explainDue(await loadState(), thresholds, now());
      await session.training.record({ type: 'trainingChecked', data: { due: dueReason } });
      if (dueReason !== null) {
        note(`Training, because of ${dueReason}.`);
        if (running === null) await begin();
        await running;
      }
      await sleep(thresholds.checkMinutes * 60_000, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await running;
    await server?.close();
  }
}

/** Starts the server; null if no port is set. Throws `unavailable` if the port cannot be used. */
async function offer(
  { settings, env, note }: TrainingRequest,
  routes: Parameters<typeof offerRoutes>[1],
): Promise<MetricsServer | null> {
  const port = settings['learn.port'];
  if (port === 0) return null;
  try {
    const server = await offerRoutes(
      { port, token: await readOrCreateLoopbackToken(resolveDataFolder(env, process.platform)) },
      routes,
    );
    note(`Status and trigger: http://127.0.0.1:${server.port}${REQUEST_PATHS.status}`);
    return server;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new SelfwareError('unavailable', `The port ${port} (learn.port) cannot be used: ${code}.`, {
      action: 'Choose another port.',
      cause: error,
    });
  }
}

function createJsonReply(status: number, value: unknown): Reply {
  return { status, type: 'application/json', body: `${JSON.stringify(value)}\n` };
}
