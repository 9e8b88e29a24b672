// Speed: the repository's benchmark is clearly faster, in two series of runs.

import { fromSetting } from '../detect/command.ts';
import type { GateRun } from '../gate.ts';
import { measureBenchmark, percent } from '../timing/measure.ts';
import { dependingOnTime } from '../busy.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';

/** Less is not worth a change. */
const LEAST = 0.05;

/** By the file's name, with or without its ending. */
function isNamedIn(line: string, path: string): boolean {
  const name = path.replace(/^.*\//, '');
  const words = line.split(/[\s"'/=]+/);
  return words.includes(name) || words.includes(name.replace(/\.[^.]+$/, ''));
}

/** The gate `timing` ran the first series. Without isolation nothing is claimed: what else runs could be seen. */
export async function showSpeed(run: GateRun, signal: AbortSignal): Promise<GateAnswer> {
  const command = fromSetting(run.context.settings.benchCommand);
  if (!command) return unknown('Not testable: no benchmark is configured (`selfware.verify.benchCommand`).');
  const bench = run.edits.find(({ path }) => isNamedIn(command.command.join(' '), path));
  if (bench) return failed(`${bench.path} belongs to the benchmark, which may not change with what it measures.`);
  if ((await run.context.sandbox.isolation()).kind === 'none')
    return unknown('Not testable: no isolation works on this machine.');
  const first = run.verdicts.find(({ gate }) => gate === 'timing');
  const change = first?.evidence['change'];
  if (first?.outcome !== 'passed' || typeof change !== 'number')
    return unknown(`Not testable: ${first?.reason ?? 'the benchmark has not run.'}`);
  const clear = -change > Number(first.evidence['noise'] ?? 1) && Number(first.evidence['p'] ?? 1) < 0.01;
  if (!clear || -change < LEAST)
    return dependingOnTime(failed(`The benchmark is not clearly faster by ${percent(LEAST)} or more. ${first.reason}`));
  const again = await measureBenchmark(run, command, signal);
  if ('outcome' in again) return again;
  const evidence = { ...again.evidence, firstChange: change };
  return dependingOnTime(
    again.verdict === 'faster' && -again.change >= LEAST
      ? passed(`The benchmark is ${again.shown}; a first series of runs showed ${percent(-change)}.`, evidence)
      : failed(`A second series of runs does not confirm that the benchmark is faster: ${again.shown}.`, evidence),
  );
}
