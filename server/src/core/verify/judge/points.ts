// Reports the points of a judged change, which only a policy can require.

import type { FileEdit, Points } from '../../model.ts';
import { passed, unknown, type GateAnswer } from '../answer.ts';
import { HOLES_AFTER, HOLES_BEFORE } from '../claims/exactTypes.ts';
import type { VerifyContext } from '../context.ts';
import { roundToHundredths } from '../../../util/values/roundToHundredths.ts';

/** Compares the points of both trees, as an answer of a gate: passed if they do not fall, otherwise unknown. */
export async function reportScore(
  context: Pick<VerifyContext, 'score'>,
  edits: readonly FileEdit[],
): Promise<GateAnswer> {
  if (edits.length === 0) return unknown('No text changes, so no points do.');
  const { before, after, price = 0, typeHoles } = await context.score(edits);
  const evidence = {
    before: before.total,
    after: after.total,
    ruler: after.ruler.version,
    price,
    ...(typeHoles ? { [HOLES_BEFORE]: typeHoles.before, [HOLES_AFTER]: typeHoles.after } : {}),
  };
  const [pointsBefore, pointsAfter] = [before.total, after.total];
  const points = { before, after };
  if (pointsBefore === null || pointsAfter === null)
    return { ...unknown('Nothing of the score is known.', evidence), points };
  const pointsText = `${roundToHundredths(pointsBefore)} → ${roundToHundredths(pointsAfter)} points${describeMissingCategories(after)}`;
  if (pointsAfter >= pointsBefore) return { ...passed(`${pointsText}.`, evidence), points };
  return {
    ...unknown(
      `${pointsText}. Its new lines may cost ${roundToHundredths(price)} points here; points are reported, not demanded.`,
      evidence,
    ),
    points,
  };
}

/** The categories that are not scored because nothing is known about them, such as ` (without test coverage)`. */
function describeMissingCategories({ categories }: Points): string {
  const unknownInputs = Object.values(categories).flatMap(({ points, unknown }) => (points === null ? unknown : []));
  return unknownInputs.length === 0 ? '' : ` (without ${[...new Set(unknownInputs)].join(', ')})`;
}
