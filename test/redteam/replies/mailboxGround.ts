// The ground of attacks by replies: a session on a real repository, a mailbox, and sessions for each approval level.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { AskOutcome, TaskRequest } from '../../../server/src/core/session/ask/askTypes.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createGround, layLinks, never, type Ground } from '../pipeline/ground.ts';
import { FILES } from '../pipeline/sample.ts';
import { CART_FILE, type End, type ReplyAttack } from './attack.ts';

/** The approval levels, the last of them on the branch of an unattended run. */
export const LEVELS = ['strict', 'moderate', 'minimal', 'branch'] as const;
const operation = { signal: never };

/** The gates that run nothing of the repository decide. */
const BRIEF: Partial<Settings> = {
  'verify.testCommand': 'true',
  'verify.differentialSeconds': 0,
  'verify.guardSeconds': 0,
};

export interface Answered {
  readonly end: End;
  /** The refusal; or the doubts of the gates, and what a person is asked at `moderate` and `minimal`. */
  readonly said: string;
  /** The reason to ask by level; null = applied unasked. Empty if no gate let it through. */
  readonly reasons: readonly (string | null)[];
  readonly title: string | null;
}

export interface MailboxGround extends AsyncDisposable {
  readonly ground: Ground;
  /** The text of each question so far. */
  readonly questions: string[];
  attempt(attack: ReplyAttack): Promise<Answered>;
  /** Asks, and leaves the question unanswered. The text of its request file. */
  ask(task: TaskRequest): Promise<string>;
}

export async function createMailboxGround(files: Readonly<Record<string, string>> = {}): Promise<MailboxGround> {
  const ground = await createGround({
    files: { ...FILES, ...files },
    prepare: layLinks,
    settings: { 'charter.authors': { model: RATES, agent: RATES } },
  });
  const programs = await realpath(await mkdtemp(join(tmpdir(), 'selfware-agent-')));
  const agent = join(programs, 'agent.mjs');
  const settings: Partial<Settings> = {
    'models.commands': { hostile: { command: `node ${agent}`, hosts: [], login: [], keys: [], protocol: 'command' } },
  };
  const brief = await ground.open({ ...settings, ...BRIEF });
  let full: Session | undefined;
  const judges = await Promise.all(
    LEVELS.map((level) =>
      level === 'branch' ? ground.open({}, true, true) : ground.open({ 'charter.approval': level }),
    ),
  );
  const place = await unusedImport(brief);
  const questions: string[] = [];
  let folders = 0;

  /** A folder of its own for each attack, because a folder with an answer answers the same question again. */
  const leave = async (session: Session, task: TaskRequest) => {
    folders += 1;
    const folder = join(ground.stateHome, 'mailbox', String(folders));
    const request = { task, proposer: `later:${folder}`, ignoresEarlier: true, ...operation };
    const [file] = (await session.questions.ask(request)).leftAt ?? [];
    if (file === undefined) throw new Error('No question was left.');
    const text = await readFile(file, 'utf8');
    questions.push(text);
    const answer = async (reply: string): Promise<AskOutcome> => {
      await mkdir(join(folder, 'replies'), { recursive: true });
      await writeFile(join(folder, 'replies', basename(file)), JSON.stringify({ text: reply }));
      return session.questions.ask(request);
    };
    return { text, answer };
  };

  const judged = async (session: Session, filed: Proposal, isMissedOnBranch: boolean): Promise<Answered> => {
    const { id, status, verdicts, reason, title } = await session.verification.verify(filed.id, operation);
    if (status !== 'verified')
      return { end: `refused: ${verdicts.at(-1)?.gate ?? ''}`, said: reason ?? '', reasons: [], title };
    const doubts = verdicts.filter(({ outcome }) => outcome !== 'passed').map((one) => one.reason);
    const asking = isMissedOnBranch ? judges.slice(0, -1) : judges;
    const reasons = await Promise.all(asking.map((judge) => judge.proposals.explainNeedToAsk(id)));
    // Out of the way of the next.
    await session.proposals.decide({ proposal: id, verdict: 'rejected', by: 'person', reason: null });
    return {
      end: reasons.includes(null) ? 'unasked' : 'asks',
      said: [...doubts, ...reasons.slice(1)].join(' '),
      reasons,
      title,
    };
  };

  return {
    ground,
    questions,
    async attempt({ answer, wish, runs, isMissedOnBranch = false }) {
      const session = runs ? (full ??= await ground.open(settings)) : brief;
      const task = wish === undefined ? { opportunity: place } : { words: wish };
      let outcome: AskOutcome;
      if (typeof answer === 'string') outcome = await (await leave(session, task)).answer(answer);
      else {
        await writeFile(agent, `import fs from 'node:fs';\n${answer.agent}\n`);
        outcome = await session.questions.ask({
          task,
          proposer: 'command:hostile',
          ignoresEarlier: true,
          ...operation,
        });
      }
      if (outcome.proposal === null) return { end: 'not filed', said: outcome.refused ?? '', reasons: [], title: null };
      return judged(session, outcome.proposal, isMissedOnBranch);
    },
    async ask(task) {
      // A question about a wish shows what the index knows.
      await brief.memory.index(operation);
      return (await leave(brief, task)).text;
    },
    async [Symbol.asyncDispose]() {
      await ground[Symbol.asyncDispose]();
      await rm(programs, { recursive: true, force: true });
    },
  };
}

const RATES = { changesAnHour: 10_000, changesADay: 10_000, requestsAMinute: 10_000 };

/** The opportunity that the attacks pretend to work on. */
async function unusedImport(session: Session): Promise<string> {
  await session.analysis.analyse(operation);
  const found = (await session.opportunities.shown([CART_FILE])).find(({ rule }) => rule.startsWith('unused'));
  if (!found) throw new Error(`${CART_FILE} has no import that nobody uses.`);
  return found.id;
}
