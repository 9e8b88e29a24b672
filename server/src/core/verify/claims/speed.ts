// Checks a gain in speed or memory: in two series of runs, the repository's benchmark is clearly faster, or needs
// clearly less memory.

import { SMALLER_CHANGE, SMALLER_CONFIDENCE } from '../../model/evidence.ts';
import { isBenchmark } from '../../paths/benchmarkFile.ts';
import { createCommandFromSetting, type DetectedCommand } from '../detect/command.ts';
import type { GateInput } from '../gate.ts';
import { MIN_GAIN } from '../timing/compareTimes.ts';
import { measureBenchmark, MEASURE_TEXTS, formatPercent, type MeasureName } from '../timing/measure.ts';
import { BUSY_KEY, markTimeDependent } from '../busyMachine.ts';
import { failed, passed, unknown, type GateAnswer } from '../answer.ts';

/** Number of series after applying. */
const SERIES_AFTER_APPLYING = 3;
/**
 * Maximum noise, as a share, with which a series counts against the change. A noisier series could hardly show a gain
 * of `MIN_GAIN`.
 */
const MAX_NOISE = 2 * MIN_GAIN;

/**
 * The result of one series. `change`: the relative change; a negative value is a gain. `sentence`: describes the
 * result.
 */
interface Series {
  readonly change: number;
  readonly confidence: number;
  readonly isClear: boolean;
  /** The difference between runs of the unchanged repository, as a share. */
  readonly noise: number;
  readonly sentence: string;
}

/** True if the command line names the file, with or without extension. */
function isNamedIn(line: string, path: string): boolean {
  const name = path.replace(/^.*\//, '');
  const words = line.split(/[\s"'/=]+/);
  return words.includes(name) || words.includes(name.replace(/\.[^.]+$/, ''));
}

/**
 * Passes if both series show a gain of at least `MIN_GAIN`. For time, the gate `timing` ran the first series. In
 * probation, `measureAgain` decides. Unknown without isolation, because the benchmark could then see other processes
 * and recognise a trial.
 */
export async function checkGain(run: GateInput, signal: AbortSignal, name: MeasureName = 'time'): Promise<GateAnswer> {
  const command = createCommandFromSetting(run.context.settings.benchCommand);
  if (!command) return unknown('Not testable: no benchmark is configured (`selfware.verify.benchCommand`).');
  const benchmarkEdit = run.edits.find(({ path }) => isBenchmark(path) || isNamedIn(command.command.join(' '), path));
  if (benchmarkEdit)
    return failed(`${benchmarkEdit.path} belongs to the benchmark, which may not change with what it measures.`);
  if ((await run.context.sandbox.isolation()).kind === 'none')
    return unknown('Not testable: no isolation works on this machine.');
  if (run.context.isProbation) return measureAgain(run, command, signal, name);
  const { less } = MEASURE_TEXTS[name];
  const first = name === 'time' ? findFirstTimeSeries(run) : await measureSeries();
  if ('outcome' in first) return first;
  if (!first.isClear || -first.change < MIN_GAIN)
    return answerWithoutGain(
      `The benchmark is not clearly ${less} by ${formatPercent(MIN_GAIN)} or more. ${first.sentence}`,
      first.noise,
    );
  const secondMeasurement = await measureBenchmark(run, command, signal, name);
  if ('outcome' in secondMeasurement) return secondMeasurement;
  const evidence = {
    ...secondMeasurement.evidence,
    firstChange: first.change,
    [SMALLER_CHANGE]: Math.max(first.change, secondMeasurement.change),
    [SMALLER_CONFIDENCE]: Math.min(first.confidence, secondMeasurement.confidence),
  };
  return secondMeasurement.verdict === 'less' && -secondMeasurement.change >= MIN_GAIN
    ? markTimeDependent(
        passed(
          `The benchmark is ${secondMeasurement.description}; a first series of runs showed ${formatPercent(-first.change)}.`,
          evidence,
        ),
      )
    : answerWithoutGain(
        `A second series of runs does not confirm that the benchmark is ${less}: ${secondMeasurement.description}.`,
        secondMeasurement.noise,
        evidence,
      );

  async function measureSeries(): Promise<Series | GateAnswer> {
    const measurement = await measureBenchmark(run, command!, signal, name);
    if ('outcome' in measurement) return measurement;
    const { change, confidence, verdict, noise, description } = measurement;
    return { change, confidence, isClear: verdict === 'less', noise, sentence: `It is ${description}.` };
  }
}

/**
 * The answer if a series shows no clear gain: unknown if it was too noisy, so that it is tried again; otherwise failed.
 */
function answerWithoutGain(reason: string, noise: number, evidence: GateAnswer['evidence'] = {}): GateAnswer {
  if (noise <= MAX_NOISE) return markTimeDependent(failed(reason, evidence));
  const noiseText = `runs of the unchanged repository differ by ${formatPercent(noise)}`;
  return markTimeDependent(
    unknown(`${reason} Nothing can be concluded, because ${noiseText}.`, { ...evidence, [BUSY_KEY]: noiseText }),
  );
}

/**
 * Measures in the current tree after applying: the median of three more series must still show the gain, and none may
 * be clearly worse.
 */
async function measureAgain(
  run: GateInput,
  command: DetectedCommand,
  signal: AbortSignal,
  name: MeasureName,
): Promise<GateAnswer> {
  const { less } = MEASURE_TEXTS[name];
  const changes: number[] = [];
  while (changes.length < SERIES_AFTER_APPLYING) {
    const measurement = await measureBenchmark(run, command, signal, name);
    if ('outcome' in measurement) return measurement;
    if (measurement.verdict === 'more')
      return markTimeDependent(
        failed(`Measured again after applying, the benchmark is ${measurement.description}.`, measurement.evidence),
      );
    changes.push(measurement.change);
  }
  const median = changes.toSorted((a, b) => a - b)[Math.floor(SERIES_AFTER_APPLYING / 2)]!;
  const sentence = `${SERIES_AFTER_APPLYING} more series of runs: ${changes.map((change) => formatPercent(-change)).join(', ')} ${less}`;
  const evidence = { changes: changes.join(' ') };
  return markTimeDependent(
    median < 0 ? passed(`${sentence}.`, evidence) : failed(`${sentence}. The gain is gone.`, evidence),
  );
}

/** The series that the gate `timing` has run; an unknown answer if it could not run. */
function findFirstTimeSeries(run: GateInput): Series | GateAnswer {
  const first = run.verdicts.find(({ gate }) => gate === 'timing');
  const change = first?.evidence['change'];
  if (first?.outcome !== 'passed' || typeof change !== 'number')
    return unknown(`Not testable: ${first?.reason ?? 'the benchmark has not run.'}`);
  const { noise, p, confidence } = first.evidence;
  const isSignificant = -change > Number(noise ?? 1) && Number(p ?? 1) < 0.01;
  return {
    change,
    confidence: Number(confidence ?? 0),
    isClear: isSignificant,
    noise: Number(noise ?? 0),
    sentence: first.reason,
  };
}
