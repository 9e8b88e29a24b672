// The server command `judgeBranch`: runs the checks on the changes of the working tree since a base, like `selfware
// verify --base`, and answers with a page.

import type { CommandOutcome } from '#protocol/review';
import { concludeJudgement, formatNotShown } from '../../core/verify/judge/conclusion.ts';
import { describeJudgement, renderJudgement } from '../../core/verify/judge/judgementMarkdown.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { parseJudgeBranchParams } from '../fromProtocol.ts';
import { withProgress } from '../progress.ts';
import { showMessage } from '../showMessage.ts';
import type { ServerCommand } from './command.ts';

const TITLE = 'Selfware: Judge This Branch';

/**
 * Without a base, the answer lists possible bases. Nothing is written to the repository. Throws `notARepository` if
 * there is no base, and `untrusted` in a workspace that is not trusted.
 */
export const judgeBranchCommand: ServerCommand = async (context, { args, reporter, signal }) => {
  const { base } = parseJudgeBranchParams(args);
  const repository = context.repositories.chosen();
  const { rootDir } = repository;
  if (base === undefined) {
    const bases = await context.judging.bases(rootDir, signal);
    if (bases.length > 0) return { ok: true, message: 'Name what the change starts from.', review: null, bases };
    throw new SelfwareError('notARepository', 'There is no commit here that a change could be judged from.');
  }
  // Trust and settings of a folder are known only after it was opened.
  await repository.session();
  if (!repository.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  const notes: string[] = [];
  const title = `Selfware: judging this branch from ${base}`;
  const judgement = await withProgress(context, { title, reporter }, signal, (operation) =>
    context.judging.judge({
      ...operation,
      rootDir,
      base,
      settings: repository.settings,
      note: (text) => notes.push(text),
    }),
  );
  const conclusion = concludeJudgement(judgement);
  const sentence = describeJudgement(judgement);
  const notShownText = formatNotShown(conclusion);
  const outcome: CommandOutcome = {
    ok: true,
    message: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)} (${judgement.strength}).${notShownText === null ? '' : ` ${notShownText}`}`,
    review: null,
    page: { title: TITLE, markdown: `${renderJudgement(judgement)}\n` },
  };
  if (!context.abilities.canReview)
    showMessage(context.connection, conclusion.kind === 'passed' ? 'info' : 'warning', outcome.message);
  return outcome;
};
