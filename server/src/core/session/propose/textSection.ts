// Creates the façade's `texts` section: analysing, explaining and fixing a single text in an editor, saved or not.

import type { Texts } from './texts.ts';
import type { SessionContext } from '../context.ts';
import { analyseText, fixText, analyseWhileTyping } from './unsavedTexts.ts';

/** Creates the section of one session. */
export function createTextSection(context: SessionContext): Texts {
  return {
    analyse: (path, text, signal) => analyseText(context, path, text, signal),
    analyseWhileTyping: (path, text, signal) => analyseWhileTyping(context, path, text, signal),
    explain: (path, text, position, signal) => context.ports.jobs.run('explain', { path, text, ...position }, signal),
    fix: (path, text, signal) => fixText(context, path, text, signal),
  };
}
