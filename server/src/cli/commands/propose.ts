// `selfware propose`: one opportunity, or a change that is asked for, as a proposal that is verified and then waits for
// a decision.

import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import { text } from 'node:stream/consumers';
import type { Proposal } from '../../core/model.ts';
import { STATED } from '../../core/model/claims.ts';
import type { PassedOver } from '../../core/model/passedOver.ts';
import { bestProposal } from '../../core/session/propose/bestProposal.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { whoBrings } from '../person.ts';
import { command, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { formatProposal } from '../writers/human.ts';
import { formatPassed, notProposed } from '../writers/passedOver.ts';
import { improveSentence, languageSentence, sentences } from '../../core/session/look/doableWords.ts';

interface ProposeOptions extends CommonOptions {
  readonly request?: string;
  readonly claim?: string;
  readonly again?: boolean;
  readonly verify: boolean;
}

export const proposeCommand: CommandFactory = (setExitCode) =>
  command('propose', 'files a change as a proposal and verifies it; nothing is applied')
    .argument('[opportunity]', 'id of an opportunity; without it the best one that Selfware can change by itself')
    .option(
      '--request <file>',
      'JSON: {"description", "edits": [{"file", "search", "replace"}]} or a transform, {"kind", "path", …}; - reads standard input',
    )
    .addOption(
      new Option('--claim <kind>', 'what the change makes better, where that is more than points').choices(STATED),
    )
    .option('--again', 'also what was refused, rejected or rolled back before')
    .option('--no-verify', 'files it only')
    .action((opportunity: string | undefined, options: ProposeOptions) =>
      withSession(options, async (invocation) => {
        if (opportunity !== undefined && options.request !== undefined)
          throw new SelfwareError('usage', 'Give an opportunity or a request, not both.');
        if (options.claim !== undefined && options.request === undefined)
          throw new SelfwareError('usage', '--claim goes with --request.');
        if (options.again && opportunity === undefined)
          throw new SelfwareError('usage', '--again goes with the id of an opportunity.');
        const { session, json, colors, out, outJson, note } = invocation;
        const { proposal, passedOver } =
          options.request === undefined
            ? await realised(invocation, opportunity, options)
            : await requested(invocation, options.request, options);
        if (!proposal) {
          if (opportunity !== undefined) throw notProposed(opportunity, passedOver.at(-1));
          if (json) return outJson(null);
          const { doable } = await session.status();
          const passed = formatPassed(passedOver);
          note('No change could be proposed.');
          if (passed !== '') note(`${passed} (\`selfware ledger query --type passedOver attempt\` tells which)`);
          return note(sentences(languageSentence(doable), improveSentence(doable)));
        }
        setExitCode(1);
        if (json) outJson(proposal);
        else out(formatProposal(proposal, colors));
      }),
    );

interface Made {
  readonly proposal: Proposal | null;
  readonly passedOver: readonly PassedOver[];
}

async function realised(
  { session, signal, report }: Invocation,
  opportunity: string | undefined,
  { verify, again = false }: ProposeOptions,
): Promise<Made> {
  await session.analysis.analyse({ signal, report });
  if (!verify)
    return session.proposals.propose({ ...(opportunity === undefined ? {} : { opportunity }), again, signal, report });
  const { verified, refused, passedOver } = await bestProposal(session, opportunity, {
    again,
    atOnce: true,
    signal,
    report,
  });
  return { proposal: verified ?? refused.at(-1) ?? null, passedOver };
}

async function requested(
  { session, signal, report }: Invocation,
  file: string,
  { verify, claim }: ProposeOptions,
): Promise<Made> {
  const request = parsed(await sourceOf(file), file);
  const stated =
    claim !== undefined && typeof request === 'object' && request !== null ? { ...request, claim } : request;
  const filed = await session.proposals.proposeTransform(stated, { signal, report }, await whoBrings());
  return {
    proposal: verify ? await session.verification.verify(filed.id, { signal, report }, { atOnce: true }) : filed,
    passedOver: [],
  };
}

async function sourceOf(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new SelfwareError('notFound', `${file} cannot be read.`, { cause: error });
  }
}

function parsed(source: string, file: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new SelfwareError(
      'usage',
      `${file === '-' ? 'Standard input' : file} is no JSON: ${(error as Error).message}`,
    );
  }
}
