// `selfware metrics [PATH…]`: prints size and complexity of each function, the worst first.

import { join } from 'node:path';
import type { FunctionExplanation } from '../../core/analysis/metrics/explain.ts';
import type { FunctionMetrics } from '../../core/model.ts';
import { readRegular } from '../../adapters/files/safeRead.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { requirePlaces } from '../../app/namedPlaces.ts';
import { isRequested, skippedSentence } from '../requestedPlaces.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { formatMetrics, sortWorstFirst } from '../writers/metricsTable.ts';

interface MetricsOptions extends CommonOptions {
  readonly top: string;
  readonly explain?: boolean;
}

/** The subcommand `metrics`. */
export const metricsCommand: CommandFactory = () =>
  createCommand('metrics', 'how complex each function is, in figures')
    .argument('[paths...]', 'files or folders')
    .option('--top <n>', 'rows of the table; 0 = all (JSON always has all)', '40')
    .option(
      '--explain',
      'where each point of cognitive complexity comes from (TypeScript and JavaScript, in the table)',
    )
    .action((paths: readonly string[], options: MetricsOptions) => {
      if (!/^\d+$/.test(options.top)) throw new SelfwareError('usage', '--top is a number.');
      const top = Number(options.top) || Number.POSITIVE_INFINITY;
      return withSession(options, async (invocation) => {
        const { session, signal, report, rootDir, json, colors, out, outJson, note } = invocation;
        requirePlaces(paths, rootDir);
        const skippedText = skippedSentence(await session.analysis.analyse({ signal, report }), rootDir, paths);
        if (skippedText) note(skippedText);
        const functions = (await session.analysis.metrics()).filter(({ path }) => isRequested(path, rootDir, paths));
        if (json) return outJson(functions);
        const worstFunctions = sortWorstFirst(functions).slice(0, top);
        const explanations = options.explain
          ? await explainFunctions(worstFunctions, invocation)
          : new Map<FunctionMetrics, FunctionExplanation>();
        out(formatMetrics(worstFunctions, (metrics) => explanations.get(metrics) ?? null, colors));
        if (worstFunctions.length < functions.length)
          note(`${functions.length - worstFunctions.length} more (--top 0 shows all).`);
      });
    });

/**
 * Explains the cognitive complexity of each function whose complexity is above 0. A function is skipped if its file
 * cannot be read, which is noted, or if its name or complexity has changed since the analysis.
 */
async function explainFunctions(
  functions: readonly FunctionMetrics[],
  { session, rootDir, signal, note }: Invocation,
): Promise<Map<FunctionMetrics, FunctionExplanation>> {
  const explanationByFunction = new Map<FunctionMetrics, FunctionExplanation>();
  const texts = new Map<string, Promise<string | null>>();
  for (const metrics of functions.filter(({ cognitive }) => cognitive > 0)) {
    let textPromise = texts.get(metrics.path);
    if (!textPromise)
      texts.set(
        metrics.path,
        (textPromise = readRegular(join(rootDir, metrics.path), metrics.path)
          .then((bytes) => new TextDecoder().decode(bytes))
          .catch(
            (error: unknown) => (
              note(`${metrics.path} cannot be read: ${error instanceof Error ? error.message : String(error)}`), null
            ),
          )),
      );
    const content = await textPromise;
    const explanation = content === null ? null : await session.texts.explain(metrics.path, content, metrics, signal);
    if (explanation?.metrics.name === metrics.name && explanation.metrics.cognitive === metrics.cognitive)
      explanationByFunction.set(metrics, explanation);
  }
  return explanationByFunction;
}
