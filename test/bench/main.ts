// The program of `npm run bench`: runs the requested benches and prints their tables. With `--json`, it also writes all
// figures to a file.

import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benches } from './benches.ts';
import { readRequest, type Request } from './options.ts';
import { readEnvironment } from './support/environment.ts';
import { formatTable, toTableData } from './support/table.ts';

const request = readRequest(process.argv.slice(2), benches);
if ('help' in request) {
  (request.wrong ? process.stderr : process.stdout).write(`${request.help}\n`);
  process.exitCode = request.wrong ? 2 : 0;
} else {
  await main(request);
}

async function main({ benches: chosenBenches, options, json }: Request): Promise<void> {
  const cancel = new AbortController();
  const scratch = mkdtempSync(join(tmpdir(), 'selfware-bench-'));
  const removeScratch = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const onSignal = () => {
    if (!cancel.signal.aborted) return cancel.abort();
    removeScratch();
    process.exit(130);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const environmentFacts = readEnvironment();
  process.stdout.write(
    `${Object.entries(environmentFacts)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · ')}\n\n`,
  );
  const results: unknown[] = [];
  try {
    for (const bench of chosenBenches) {
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
        tables: tables.map(toTableData),
      });
      if (json)
        await writeFile(json, `${JSON.stringify({ environment: environmentFacts, options, results }, null, 1)}\n`);
    }
  } catch (error) {
    if (!cancel.signal.aborted) throw error;
    process.stderr.write('Stopped.\n');
    process.exitCode = 130;
  } finally {
    removeScratch();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
