// Makes sure that a person decides on the command line: somebody who answers at a terminal, or who has allowed their
// scripts to decide in their settings outside the repository.

import { confirm } from '@clack/prompts';
import { detectAgentSession } from '../adapters/system/agentSession.ts';
import type { Author } from '../core/model/authors.ts';
import { readOwnSettings, type OwnSettings } from '../app/ownSettings.ts';
import { SelfwareError } from '../util/typedError.ts';
import { escapeInvisibleLine } from '../util/visible.ts';

/** True if input and output are a terminal, so that somebody can read a question and answer it. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/**
 * True if the input is a terminal. That is sufficient for a command that asks nothing, so that its output may go to
 * another program.
 */
function isTypedAtTerminal(): boolean {
  return process.stdin.isTTY === true;
}

/** The reason why nobody can answer at a terminal, as the end of a sentence. */
function describeMissingTerminal(): string {
  return isTypedAtTerminal() ? 'its output goes to a file or another program' : 'there is none here';
}

/**
 * The author of the change that a command makes: a person, if the input is a terminal and no agent has started the
 * process; otherwise an agent.
 */
export async function detectAuthor(): Promise<Author> {
  return isTypedAtTerminal() && (await detectAgentSession(process.env)) === null ? 'person' : 'agent';
}

/** Throws `forbidden` if an agent has started this process. `purpose` is the start of a sentence. */
export async function refuseAgents(purpose: string): Promise<void> {
  const agent = await detectAgentSession(process.env);
  if (agent === null) return;
  const message = `${purpose} is for a person, and an agent has started this command: ${agent}.`;
  throw new SelfwareError('forbidden', message, { action: 'Decide in your editor, or in a terminal of your own.' });
}

/**
 * Throws `forbidden` if `--set` would loosen the settings in `names` in the session of an agent, or in a server for
 * agents (`isForAgents`).
 */
export async function refuseLoosening(
  names: readonly string[],
  ownSettings: OwnSettings,
  isForAgents: boolean,
): Promise<void> {
  if (names.length === 0) return;
  const purpose = `To say what is applied unasked, or less strictly proven, by --set (${names.join(', ')})`;
  if (!isForAgents) return refuseAgents(purpose);
  throw new SelfwareError('forbidden', `${purpose} is for a person, and this server is for agents.`, {
    action: `Write it to your own settings: ${ownSettings.place}.`,
  });
}

/** A question that only a person may answer. */
export interface PersonQuestion {
  /** The subject of the decision, as the start of a sentence. */
  readonly subject: string;
  readonly question: string;
  /** A sentence of advice for anybody who may not decide: how to look at the subject without deciding. */
  readonly look?: string;
  readonly ownSettings: OwnSettings;
  /** Shows the person the subject of the question. */
  show(): void;
}

/**
 * Asks the person, and resolves once they have agreed. Resolves at once if the settings of the person let scripts
 * decide. Throws `forbidden` for an agent or without a terminal, and `cancelled` if the person declines.
 */
export async function requirePerson({ subject, question, look, ownSettings, show }: PersonQuestion): Promise<void> {
  await refuseAgents(subject);
  if (ownSettings.approvesWithoutTerminal) return;
  if (!isAtTerminal()) {
    const message = `${subject} needs a person who answers at a terminal, and ${describeMissingTerminal()}.`;
    throw new SelfwareError('forbidden', message, { action: terminalAdvice(look, ownSettings) });
  }
  show();
  if (!(await askYesOrNo(question))) throw new SelfwareError('cancelled', 'Nothing was done.');
}

/**
 * Makes sure that a person has given a command that asks nothing: its input is a terminal, or the settings of the
 * person let scripts decide. Throws `forbidden` for an agent and for any other script. `subject` is the start of a
 * sentence.
 */
export async function requirePersonsCommand(subject: string): Promise<void> {
  await refuseAgents(subject);
  const ownSettings = readOwnSettings(process.env);
  if (isTypedAtTerminal() || ownSettings.approvesWithoutTerminal) return;
  throw new SelfwareError('forbidden', `${subject} needs a person, and there is no terminal here.`, {
    action: terminalAdvice(undefined, ownSettings),
  });
}

/** The advice if there is no terminal. */
function terminalAdvice(look: string | undefined, { place }: OwnSettings): string {
  return `${look === undefined ? '' : `${look} `}Run it in a terminal. For scripts of your own, write {"approve.withoutTerminal": true} to ${place}.`;
}

/** A question about something that comes from the network. A script can answer it only by `--yes`. */
export interface NetworkQuestion extends PersonQuestion {
  readonly look: string;
  /** True if the command has the option `--yes`. */
  readonly yes: boolean;
  /** What the command does, as the end of a sentence that begins with `subject`, such as `installs packages`. */
  readonly does: string;
}

/**
 * Shows the subject, and requires that a person approves it. With `--yes`, the command itself is the approval, if its
 * input is a terminal or the settings of the person let scripts decide. Without `--yes`, somebody has to answer at a
 * terminal, even if the settings let scripts decide. Throws the errors of `requirePerson`.
 */
export async function requirePersonOrYes({ yes, does, ...question }: NetworkQuestion): Promise<void> {
  const { subject, look, ownSettings, show } = question;
  const canScriptsDecide = ownSettings.approvesWithoutTerminal;
  if (!yes && (isAtTerminal() || !canScriptsDecide))
    return requirePerson({ ...question, ownSettings: { ...ownSettings, approvesWithoutTerminal: false } });
  await refuseAgents(subject);
  if (!yes)
    throw new SelfwareError('forbidden', `${subject} ${does}, and a script has to say so by --yes.`, {
      action: `${look} Then add --yes.`,
    });
  // With `--yes`, nothing is asked.
  if (!isTypedAtTerminal() && !canScriptsDecide)
    throw new SelfwareError('forbidden', `${subject} needs a person, and there is no terminal here.`, {
      action: terminalAdvice(look, ownSettings),
    });
  show();
}

/** Asks for a yes or no at the terminal. Returns false if the question is declined or cancelled. */
export async function askYesOrNo(questionText: string): Promise<boolean> {
  return (
    (await confirm({ message: escapeInvisibleLine(questionText), initialValue: false, output: process.stderr })) ===
    true
  );
}
