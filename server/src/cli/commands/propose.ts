// `selfware propose`: one opportunity, or a change that is asked for, as a proposal that is verified and then waits for a decision.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Proposal } from '../../core/model.ts';
import { bestProposal } from '../../core/session/bestProposal.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { command, withSession, type CommandFactory, type CommonOptions, type Invocation } from '../invocation.ts';
import { formatProposal } from '../writers/human.ts';

interface ProposeOptions extends CommonOptions {
  readonly request?: string;
  readonly verify: boolean;
}

export const proposeCommand: CommandFactory = (setExitCode) =>
  command('propose', 'files a change as a proposal and verifies it; nothing is applied')
    .argument('[opportunity]', 'id of an opportunity; without it the best that a recipe can realise')
    .option('--request <file>', 'JSON: {"description", "edits": [{"file", "search", "replace"}]} or a transform, {"kind", "path", …}; - reads standard input')
    .option('--no-verify', 'files it only')
    .action((opportunity: string | undefined, options: ProposeOptions) =>
      withSession(options, async (invocation) => {
        if (opportunity !== undefined && options.request !== undefined) throw new SelfwareError('usage', 'Give an opportunity or a request, not both.');
        const { json, colors, out, outJson, note } = invocation;
        const proposal = options.request === undefined ? await realised(invocation, opportunity, options.verify) : await requested(invocation, options.request, options.verify);
        if (!proposal) {
          if (json) return outJson(null);
          return note('Nothing was found that a recipe can realise.');
        }
        setExitCode(1);
        if (json) outJson(proposal);
        else out(formatProposal(proposal, colors));
      }),
    );

async function realised({ session, signal, report }: Invocation, opportunity: string | undefined, verify: boolean): Promise<Proposal | null> {
  await session.analyse({ signal, report });
  if (!verify) return (await session.propose({ ...(opportunity === undefined ? {} : { opportunity }), signal, report })).proposal;
  const best = await bestProposal(session, opportunity, { signal, report });
  return best.verified ?? best.refused.at(-1) ?? null;
}

async function requested({ session, signal, report }: Invocation, file: string, verify: boolean): Promise<Proposal> {
  const filed = await session.proposeTransform(parsed(await sourceOf(file), file), { signal, report });
  return verify ? session.verify(filed.id, { signal, report }) : filed;
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
    throw new SelfwareError('usage', `${file === '-' ? 'Standard input' : file} is no JSON: ${(error as Error).message}`);
  }
}
