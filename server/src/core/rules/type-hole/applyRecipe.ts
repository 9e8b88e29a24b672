// exact-types: fills the type holes of a file. It removes needless assertions, and replaces `any` by the type that the
// compiler knows.

import { openProject } from '../../propose/extraction/project.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findProvenHoles } from '../../syntax/provenHoles.ts';
import { fillHoles } from '../../syntax/typeHoles.ts';
import { formatCount } from '../../../util/counted.ts';

/** Maximum number of holes in one change. A larger change is hard to review. */
const MAX_HOLES = 40;

/**
 * Replaces `(x as Foo).y` by `x.y`, `x!.y` by `x.y`, and `catch (e: any)` by `catch (e: unknown)`, in at most
 * `MAX_HOLES` places. Refuses if the compiler proves no hole.
 */
export function applyRecipe({ tree, absolutePath, text }: RecipeContext): RecipeOutcome {
  if (!/\.[cm]?tsx?$/.test(absolutePath)) return refuse('Only TypeScript has such types.');
  const project = openProject(tree, absolutePath, text);
  try {
    const provenHoles = findProvenHoles([project]).get(project) ?? [];
    const [firstHole] = provenHoles;
    if (!firstHole) return refuse('The compiler no longer proves any type in this file needless or known.');
    const holes = provenHoles.slice(0, MAX_HOLES);
    return {
      text: fillHoles(text, holes),
      title: holes.length === 1 ? createTitle(firstHole.kind) : `use ${holes.length} types that the compiler knows`,
      rationale:
        `${formatCount(holes.length, 'place')}: ${firstHole.explanation}${holes.length > 1 ? ', and the like' : ''}. The compiler emits ` +
        'the same JavaScript, says the same about the file, and gives every exported name the same type.',
    };
  } finally {
    project.service.dispose();
  }
}

/** The title of a proposal that closes a hole of this kind. */
function createTitle(kind: 'needless as' | 'needless !' | 'known any'): string {
  if (kind === 'known any') return 'write the type that the compiler knows for any';
  return `remove a needless ${kind === 'needless as' ? 'type assertion' : '!'}`;
}
