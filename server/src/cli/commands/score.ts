// `selfware score`: prints the points on the frozen ruler. With --explain, prints the inputs of each category and the
// places that cost the most points.

import { CATEGORIES, type Category } from '../../core/model.ts';
import { isNothingMeasured } from '../../core/score/nothingMeasured.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { createCommand, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { formatExplainedPoints } from '../writers/explainPoints.ts';
import { createPointsJson } from '../writers/json.ts';
import { formatPoints } from '../writers/points.ts';

interface ScoreOptions extends CommonOptions {
  readonly explain?: string | true;
}

const EXPLAIN_HINT = 'What costs most, place by place: selfware score --explain';

/** The subcommand `score`. */
export const scoreCommand: CommandFactory = () =>
  createCommand('score', 'points for the whole repository, by rules that never change')
    .option('--explain [category]', 'what each category (or this one) consists of, and the places that cost most')
    .action((options: ScoreOptions) => {
      const explainedCategories = options.explain === undefined ? null : parseCategories(options.explain);
      return withSession(options, async ({ session, signal, report, json, colors, out, outJson }) => {
        await session.analysis.analyse({ signal, report });
        const points = await session.analysis.score();
        if (json) outJson(createPointsJson(points, (await session.status()).doable.improvable));
        else
          out(
            explainedCategories
              ? formatExplainedPoints(points, explainedCategories, (await session.status()).doable.improvable, colors)
              : [formatPoints(points), ...(isNothingMeasured(points) ? [] : [EXPLAIN_HINT])].join('\n'),
          );
      });
    });

/**
 * The categories that a person names: all, or one in a form such as `safety`, `codeQuality`, `code quality` or
 * `code-quality`. Throws `usage` for an unknown name.
 */
function parseCategories(name: string | true): readonly Category[] {
  if (name === true) return CATEGORIES;
  const normalisedName = name.toLowerCase().replace(/[^a-z]/g, '');
  const category = CATEGORIES.find((category) => category.toLowerCase() === normalisedName);
  if (category) return [category];
  throw new SelfwareError('usage', `There is no category ${name}.`, {
    action: `Ask for one of ${CATEGORIES.join(', ')}.`,
  });
}
