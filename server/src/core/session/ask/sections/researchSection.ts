// Creates the façade's `research` section: the person's search program, and whether it may be used.

import type { SessionContext } from '../../context.ts';
import type { Research } from '../askTypes.ts';
import { allowResearch, getResearchAnswer } from '../researching.ts';

/** Creates the section of one session. */
export function createResearchSection(context: SessionContext): Research {
  return {
    tool: () => context.ports.research ?? null,
    allow: (when) => allowResearch(context, when),
    answer: () => getResearchAnswer(context),
  };
}
