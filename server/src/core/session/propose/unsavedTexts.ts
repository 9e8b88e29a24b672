// Answers the requests of an editor about unsaved texts.

import type { FixedText, TextAnalysis } from '../../model/texts.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import type { SessionContext } from '../context.ts';
import { listSwitchedOffRules, listShownOfText } from '../analyse/listOpportunities.ts';
import type { FileAnalysis } from '../../ports/catalogue.ts';

/** Analyses an unsaved text like a saved file. Skips hidden opportunities. */
export async function analyseText(
  context: SessionContext,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<TextAnalysis> {
  const bytes = new TextEncoder().encode(text);
  const [analysis] = await context.ports.jobs.run(
    'analyse',
    [{ path, bytes, size: bytes.byteLength, mtimeMs: 0, hash: '' }],
    signal,
  );
  return filterShownOpportunities(context, path, analysis ?? { functions: [], opportunities: [] });
}

/** Analyses quickly a text that is being typed, without rules that need the type checker (`CHECKED_RULES`). */
export async function analyseWhileTyping(
  context: SessionContext,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<TextAnalysis> {
  return filterShownOpportunities(context, path, await context.ports.jobs.run('glance', { path, text }, signal));
}

/**
 * Applies all fixes of recipes that are safe within a single text. Writes nothing, because the person decides in the
 * editor. Throws `untrusted`, `forbidden` for a protected file, `illegalStep` while Selfware is stopped.
 */
export async function fixText(
  context: SessionContext,
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<FixedText> {
  const { ports, charter, ledger, settings, state } = context;
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so no recipe runs.', {
      action: 'Trust the workspace first.',
    });
  if (state.stopped) throw new SelfwareError('illegalStep', 'Selfware is stopped.', { action: 'Resume first.' });
  const answer = await charter.check([{ path }]);
  if (!answer.allowed) throw new SelfwareError('forbidden', answer.reason);
  const dismissed = (await ledger.dismissals()).map(({ opportunity }) => opportunity);
  return ports.jobs.run(
    'fixText',
    {
      rootDir: ports.files.rootDir,
      path,
      text,
      without: { rules: listSwitchedOffRules(settings), opportunities: dismissed },
    },
    signal,
  );
}

/**
 * Paths of files that differ from the last commit, including new files, but not deleted ones. Empty if there is no git
 * repository.
 */
export async function findChangedPaths({ ports }: SessionContext): Promise<readonly string[]> {
  if (!(await ports.git.state())) return [];
  return (await ports.git.listUncommittedChanges()).filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
}

/** The functions, and the opportunities that nothing hides. */
async function filterShownOpportunities(
  context: SessionContext,
  path: string,
  { functions, opportunities }: Pick<FileAnalysis, 'functions' | 'opportunities'>,
): Promise<TextAnalysis> {
  return { functions, opportunities: await listShownOfText(context, path, opportunities) };
}
