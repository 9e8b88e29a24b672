// The program of `npm run bench`: runs the requested benches and prints their tables. With `--json`, it also writes all
// figures to a file.

import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benches } from './benches.ts';
import { readRequest, type Request } from './options.ts';
import { environment } from './support/environment.ts';
import { formatTable, tableData } from './support/table.ts';

const request = readRequest(process.argv.slice(2), benches);
if ('help' in request) {
  (request.wrong ? process.stderr : process.stdout).write(`${request.help}\n`);
  process.exitCode = request.wrong ? 2 : 0;
} else {
  await main(request);
}

async function main({ benches: wanted, options, json }: Request): Promise<void> {
  const cancel = new AbortController();
  const scratch = mkdtempSync(join(tmpdir(), 'selfware-bench-'));
  const clear = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const onSignal = () => {
    if (!cancel.signal.aborted) return cancel.abort();
    clear();
    process.exit(130);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const surroundings = environment();
  process.stdout.write(
    `${Object.entries(surroundings)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · ')}\n\n`,
  );
  const results: unknown[] = [];
  try {
    for (const bench of wanted) {
      const startedAt = performance.now();
      process.stdout.write(`## ${bench.name}\n\n${bench.describe}\n\n`);
      const note = (text: string) => process.stderr.write(`  ${bench.name}: ${text}\n`);
      const tables = await bench.run(
        { ...options, scratch: mkdtempSync(join(scratch, `${bench.name}-`)), note },
        cancel.signal,
      );
      for (const table of tables) process.stdout.write(`${formatTable(table)}\n\n`);
      results.push({
        bench: bench.name,
        seconds: (performance.now() - startedAt) / 1000,
        tables: tables.map(tableData),
      });
      if (json) await writeFile(json, `${JSON.stringify({ environment: surroundings, options, results }, null, 1)}\n`);
    }
  } catch (error) {
    if (!cancel.signal.aborted) throw error;
    process.stderr.write('Stopped.\n');
    process.exitCode = 130;
  } finally {
    clear();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
