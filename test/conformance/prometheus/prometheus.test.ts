// A real Prometheus (Debian's package) scrapes the figures of a run, with the token, and answers questions about them.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCommandLine, type CommandLine } from '../../helpers/commandLine.ts';
import { gradesProject } from '../../helpers/gradesProject.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

let folder: string;
let repository: TemporaryRepository;
let selfware: CommandLine;
let prometheus: ChildProcess | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-prometheus-'));
  repository = await createTemporaryRepository(gradesProject(['double', 'half']));
  selfware = await createCommandLine(repository.dir);
});
afterEach(async () => {
  if (prometheus?.exitCode === null && prometheus.kill()) await once(prometheus, 'exit');
  await selfware.dispose();
  await repository.dispose();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a Prometheus that scrapes the run on `port` every second; returns how to ask it for the value of a query. */
async function startPrometheus(port: number): Promise<(query: string) => Promise<number | null>> {
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      {
        job_name: 'night',
        authorization: { credentials_file: join(selfware.home, 'metrics-token') },
        static_configs: [{ targets: [`127.0.0.1:${port}`] }],
      },
      { job_name: 'stranger', static_configs: [{ targets: [`127.0.0.1:${port}`] }] },
    ],
  };
  const [own, file] = [await freePort(), join(folder, 'prometheus.yml')];
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config));
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`];
  prometheus = spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${own}`], { stdio: 'ignore' });
  return async (query) => {
    const address = `http://127.0.0.1:${own}/api/v1/query?query=${encodeURIComponent(query)}`;
    const response = await fetch(address).catch(() => null);
    if (!response?.ok) return null;
    const { data } = (await response.json()) as { data: { result: readonly { value: readonly [number, string] }[] } };
    return data.result.length === 0 ? null : Number(data.result[0]!.value[1]);
  };
}

test('Prometheus scrapes a run with the token alone, and its queries have the figures of the night', async () => {
  const port = await freePort();
  await writeFile(join(selfware.home, 'settings.json'), JSON.stringify({ 'night.metricsPort': port }));
  const args = ['night', '--for', '1h', '--set', 'night.searchFurther=false'];
  // It waits for a commit then, and continues to offer its figures.
  await selfware.start(args, 'It continues after a commit');
  const ask = await startPrometheus(port);
  await expect.poll(() => ask('up{job="night"}'), { interval: 500 }).toBe(1);
  await expect.poll(() => ask('genesis_improvements_deployed_total'), { interval: 500 }).toBe(2);
  expect(await ask('genesis_improvement_cycles_total')).toBe(2);
  expect(await ask('sum(genesis_improvements_rejected_total)')).toBe(0);
  expect(await ask('selfware_night_state{state="waiting"}')).toBe(1);
  expect(await ask('genesis_learnings_since_training')).toBeGreaterThanOrEqual(0);
  // No model was evaluated, so there is no sample.
  expect(await ask('genesis_current_model_accuracy')).toBeNull();
  expect(await ask('process_resident_memory_bytes')).toBeGreaterThan(2 ** 20);
  await expect.poll(() => ask('rate(process_cpu_seconds_total[30s])'), { interval: 500 }).toBeGreaterThanOrEqual(0);
  expect(await ask('up{job="stranger"}')).toBe(0);
  const token = await ask('genesis_improvement_cycles_total{job="stranger"}');
  expect(token).toBeNull();
});

test('promtool finds nothing wrong with the text', async () => {
  const { metricsText } = await import('../../../server/src/core/run/metrics.ts');
  const text = metricsText([], { rssBytes: 1, cpuSeconds: 1 }, []);
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});
