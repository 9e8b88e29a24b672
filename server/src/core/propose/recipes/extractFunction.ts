// x
import { refuse, type RecipeContext, type RecipeOutcome } from '../recipe.ts';
export function extractFunction(_: RecipeContext): RecipeOutcome { return refuse('Not yet.'); }
