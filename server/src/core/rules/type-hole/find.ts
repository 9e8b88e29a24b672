// type-hole: finds assertions that the compiler proves needless, and occurrences of `any` for which it knows a type.
// Each file is one opportunity.

import type { FileHoles } from '../../analysis/project/holesInFiles.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import type { Opportunity } from '../../model.ts';
import type { ProjectFinder } from '../finders.ts';

/** Maximum number of places that an opportunity lists besides the first. */
const MAX_RELATED = 20;

export const finder: ProjectFinder = {
  async find({ product, view, signal }) {
    const typescriptFiles = product.filter(({ language }) => language === 'typescript' || language === 'tsx');
    const filesWithHoles = (await view.typeHoles?.(typescriptFiles.map(({ path }) => path).sort(), signal)) ?? [];
    return filesWithHoles.flatMap((file) => createOpportunity(file) ?? []);
  },
};

/** The opportunity for the holes of a file; null if there are none. */
function createOpportunity({ path, holes }: FileHoles): Opportunity | null {
  const [firstHole, ...otherHoles] = holes;
  if (!firstHole) return null;
  const countHoles = (kind: (typeof firstHole)['kind']) => holes.filter((hole) => hole.kind === kind).length;
  return toProjectOpportunity({
    rule: 'type-hole',
    path,
    range: firstHole.range,
    nameRange: firstHole.range,
    symbol: null,
    about: holes.map(({ shown }) => shown).join('\n'),
    impact: Math.min(40, 14 + 3 * holes.length),
    confidence: 0.85,
    message:
      otherHoles.length === 0
        ? `${describeHole(firstHole.kind)}: ${firstHole.explanation}.`
        : `${holes.length} types say less here than the compiler knows. The first: ${firstHole.explanation}.`,
    evidence: {
      assertions: countHoles('needless as'),
      nonNull: countHoles('needless !'),
      any: countHoles('known any'),
    },
    related: otherHoles.slice(0, MAX_RELATED).map(({ range, kind, explanation }) => ({
      path,
      range,
      message: `${describeHole(kind)}: ${explanation}.`,
    })),
    recipe: 'exact-types',
  });
}

/** The kind of a hole as a phrase of a message. */
function describeHole(kind: FileHoles['holes'][number]['kind']): string {
  if (kind === 'known any') return 'an `any` with a known type';
  return kind === 'needless as' ? 'a needless `as`' : 'a needless `!`';
}
