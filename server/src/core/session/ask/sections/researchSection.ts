// Creates the façade's `research` section: searching online for a question.

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
