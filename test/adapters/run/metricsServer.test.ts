// The figures of a run over real HTTP: with the token, on the loopback, in the format of Prometheus.

import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerMetrics, type MetricsServer } from '../../../server/src/adapters/run/metricsServer.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { METRICS_TYPE, metricsText } from '../../../server/src/core/run/metrics.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';

const [night, run] = ['selfware/night-2026-11-25', 'run-1'];
const plan = { until: 1e12, maxChanges: 3, proposer: null, places: null };
const miss = (what: 'asks' | 'refused') => ({
  type: 'nightMissed' as const,
  data: { night, run, miss: { what, proposal: 'x', title: 'x', rule: 'r', path: 'a', reason: '' } },
});
const nights = foldNights(
  [
    { type: 'nightStarted' as const, data: { night, run, base: 'a', plan } },
    { type: 'nightCommitted' as const, data: { night, run, commit: 'c', change: { proposal: 'p' } as never } },
    miss('refused'),
    miss('refused'),
    miss('asks'),
  ].map((event, at) => ({ ...event, at })),
);
const token = 'hunter2';
let server: MetricsServer;

beforeAll(async () => {
  const text = async () => metricsText(nights, { rssBytes: 1024, cpuSeconds: 1.5 }, []);
  server = await offerMetrics({ port: 0, token, type: METRICS_TYPE, text });
});
afterAll(() => server.close());

const ask = (
  path = '/metrics',
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
  method = 'GET',
) => fetch(`http://127.0.0.1:${server.port}${path}`, { headers, method });

/** Samples by name and labels, as a scraper reads them; throws for a line that is none. */
function samplesIn(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (?:HELP|TYPE) [a-z_]+ /.test(line)) continue;
    const sample = /^([a-z_]+(?:\{[a-z]+="\w+"(?:,[a-z]+="\w+")*\})?) (\d+(?:\.\d+)?)$/.exec(line);
    if (!sample) throw new Error(`No sample: ${line}`);
    samples.set(sample[1]!, Number(sample[2]));
  }
  return samples;
}

test('a scrape has the figures of the nights, each once', async () => {
  const response = await ask();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, METRICS_TYPE]);
  expect(Object.fromEntries(samplesIn(await response.text()))).toEqual({
    genesis_improvement_cycles_total: 4,
    genesis_improvements_deployed_total: 1,
    'genesis_improvements_rejected_total{reason="refused"}': 2,
    'genesis_improvements_rejected_total{reason="rolledBack"}': 0,
    'genesis_improvements_rejected_total{reason="brokeDown"}': 0,
    selfware_night_waiting_proposals: 1,
    'selfware_night_state{state="running"}': 1,
    'selfware_night_state{state="waiting"}': 0,
    'selfware_night_state{state="needsPerson"}': 0,
    'selfware_night_state{state="stopped"}': 0,
    selfware_night_degraded: 0,
    selfware_night_draining: 0,
    process_resident_memory_bytes: 1024,
    process_cpu_seconds_total: 1.5,
  });
});

test.each([
  ['without a token', undefined, {}, 'GET', 401],
  ['with another token', undefined, { authorization: 'Bearer hunter3' }, 'GET', 401],
  ['with the beginning of the token', undefined, { authorization: 'Bearer hunter' }, 'GET', 401],
  ['another page', '/', undefined, 'GET', 404],
  ['another method', undefined, undefined, 'POST', 405],
] as const)('%s nothing is told', async (_, path, headers, method, status) => {
  const response = await ask(path, headers, method);
  expect([response.status, await response.text()]).toEqual([status, '']);
});

test('other machines cannot reach it', async () => {
  const outward = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4');
  if (outward) await expect(fetch(`http://${outward.address}:${server.port}/metrics`)).rejects.toThrow();
});

test('a port that is taken is an error with its code', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(offerMetrics({ port, token, type: '', text: async () => '' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await new Promise((resolve) => taken.close(resolve));
});

test('the state is the one that whoever watches the run sees', () => {
  const live = {
    ...{ pid: 1, startedAt: 0, at: 1, progress: null, stageSince: 0, trying: null, tries: 0, rssMb: 1, cpuSeconds: 1 },
  };
  const statesOf = (more: object) =>
    [...samplesIn(metricsText(nights, { rssBytes: 1, cpuSeconds: 1 }, [], { ...live, ...more }))]
      .filter(([name, value]) => /^selfware_night_(?:state|degraded|draining)/.test(name) && value === 1)
      .map(([name]) => name);
  const running = 'selfware_night_state{state="running"}';
  expect(statesOf({})).toEqual([running]);
  expect(statesOf({ degraded: ['Why.'] })).toEqual([running, 'selfware_night_degraded']);
  expect(statesOf({ isDraining: true })).toEqual([running, 'selfware_night_draining']);
});

test('a proposal that a person drops stays counted, because a counter never falls', () => {
  const figures = (found: typeof nights) => samplesIn(metricsText(found, { rssBytes: 1, cpuSeconds: 1 }, []));
  const asks = { what: 'asks', proposal: 'q', title: 't', rule: 'r', path: 'p', reason: 'Because.' } as const;
  const events: readonly NightEvent[] = [
    {
      type: 'nightStarted',
      data: { night, run, base: 'a', plan: { until: 1, maxChanges: 1, proposer: null, places: null } },
    },
    { type: 'nightMissed', data: { night, run, miss: asks } },
    { type: 'nightDecided', data: { night, verdict: 'dropped', changes: ['q'] } },
  ];
  const after = (count: number) => figures(foldNights(events.slice(0, count).map((event, at) => ({ ...event, at }))));
  for (const count of [2, 3]) expect(after(count).get('genesis_improvement_cycles_total')).toBe(1);
  expect(after(3).get('selfware_night_waiting_proposals')).toBe(0);
});
