// Finds candidates for the inbox in feedback: command lines that are often repeated, tools that are missing, tools
// that often fail.

import type { RuleFile } from '../../model/feedback.ts';
import { formatCount } from '../../../util/counted.ts';
import { sha256 } from '../../../util/hash.ts';
import { quoteText, escapeInvisibleLine } from '../../../util/visible.ts';
import type { Feedback, FeedbackAnalysis } from '../feedback.ts';

/** A proposal before it has been checked. */
export type Candidate =
  | (CandidateBase & { readonly kind: 'command'; readonly command: string })
  | (CandidateBase & { readonly kind: 'tool'; readonly wish: string })
  | (CandidateBase & {
      readonly kind: 'preference';
      readonly rule: string;
      readonly first: string;
      readonly second: string;
    })
  | (CandidateBase & {
      readonly kind: 'skill';
      readonly file: RuleFile;
      readonly text: string;
      readonly replaces: readonly string[];
    });

/** The fields of every candidate. `events`: sequences in the ledger, ascending. */
interface CandidateBase {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly events: readonly number[];
}

/** Prefix of dimensions of feedback about a command line that was run. */
const COMMAND_PREFIX = 'command:';
/** Prefix of dimensions of feedback about something that was missing. */
const WANTED_PREFIX = 'wanted:';
/** Prefix of dimensions of feedback about a gate that Selfware itself has run. */
const GATE_PREFIX = 'gate:';

/** Minimum number of sessions in which the same commands were run, or the same tool was missed. */
const MIN_SESSIONS = 3;
/** Maximum number of consecutive commands that are proposed as one. */
const MAX_STEPS = 4;
/** A single command is proposed only if it has more characters than this. */
const MIN_SINGLE_CHARACTERS = 20;
/** Maximum number of events of a candidate. */
const MAX_EVENTS = 20;
/** Replaces a secret in a text. A command line that contains it cannot be run again. */
const REDACTED_PREFIX = '[redacted:';
/** Operator that joins commands: each runs only if the previous one succeeded. */
const COMMAND_JOINT = ' && ';
/** Matches lines that cannot be joined, because they have other operators, a comment, or a text in further lines. */
const UNJOINABLE_PATTERN = /\|\||[;#]|<<|\\$|(?<![&>])&(?!&)/;
/** Maximum number of characters of the name of a candidate. */
const MAX_NAME_CHARACTERS = 40;
/** Maximum number of notes that are quoted in a candidate. */
const MAX_QUOTED = 2;

/**
 * The candidates, the most useful first. `feedback`: all feedback, oldest first. `proposedLines`: command lines that
 * were proposed before; a line whose commands are all in one of these is skipped.
 */
export function findCandidates(
  feedback: readonly Feedback[],
  analysis: Pick<FeedbackAnalysis, 'findings' | 'recent'>,
  proposedLines: readonly string[],
): readonly Candidate[] {
  return [
    ...findRepeatedCommands(feedback, proposedLines),
    ...findMissingTools(feedback),
    ...findFailingTools(analysis, feedback),
  ];
}

/** The id of a proposal about this subject; the same subject always has the same id. */
export function createSubjectId(kind: Candidate['kind'], subject: string): string {
  return `${kind[0]}-${sha256(`${kind} ${subject}`).slice(0, 8)}`;
}

/** A name of at most 40 characters from a text: lower-case letters, digits and hyphens; `unnamed` if it has none. */
export function deriveName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/^-|-$/g, '');
  return name === '' ? 'unnamed' : name;
}

/**
 * Candidates for consecutive commands that succeeded in several sessions, joined in one line. Those with the most
 * commands come first.
 */
function findRepeatedCommands(feedback: readonly Feedback[], proposedLines: readonly string[]): readonly Candidate[] {
  const rows = new Map<string, { readonly steps: number; readonly events: number[]; readonly sessions: Set<string> }>();
  for (const [session, commands] of groupCommandsBySession(feedback))
    for (let start = 0; start < commands.length; start += 1)
      for (let steps = 1; steps <= Math.min(MAX_STEPS, commands.length - start); steps += 1) {
        const part = commands.slice(start, start + steps);
        const lines = part.map((run) => run.line);
        if (part.some(({ failed }) => failed) || new Set(lines).size < steps) break;
        if (steps > 1 && lines.some((line) => UNJOINABLE_PATTERN.test(line))) break;
        const line = lines.join(COMMAND_JOINT);
        const row = rows.get(line) ?? { steps, events: [], sessions: new Set<string>() };
        row.sessions.add(session);
        row.events.push(...part.map(({ sequence }) => sequence));
        rows.set(line, row);
      }
  return [...rows]
    .filter(
      ([line, { steps, sessions }]) =>
        sessions.size >= MIN_SESSIONS &&
        (steps > 1 || line.length > MIN_SINGLE_CHARACTERS) &&
        !proposedLines.some((proposedLine) => isCommandSubset(line, proposedLine)),
    )
    .toSorted(
      ([a, run], [b, otherRun]) =>
        otherRun.steps - run.steps || otherRun.sessions.size - run.sessions.size || (a < b ? -1 : 1),
    )
    .map(([command, { sessions, events, steps }]) => ({
      kind: 'command' as const,
      id: createSubjectId('command', command),
      name: deriveName(command),
      description: `Agents report that they ran ${steps === 1 ? 'this command' : 'these commands'} in ${formatCount(sessions.size, 'session')}.`,
      command,
      events: selectNewestEvents(events),
    }));
}

/** True if `otherLine` contains every command of `line`, in any order. */
function isCommandSubset(line: string, otherLine: string): boolean {
  const otherCommands = new Set(otherLine.split(COMMAND_JOINT));
  return line.split(COMMAND_JOINT).every((command) => otherCommands.has(command));
}

/** A run of a command line. */
interface CommandRun {
  readonly line: string;
  readonly failed: boolean;
  readonly sequence: number;
}

/** The command lines that each session ran, in the order of the feedback. A redacted or empty one counts as failed. */
function groupCommandsBySession(feedback: readonly Feedback[]): ReadonlyMap<string, readonly CommandRun[]> {
  const sessions = new Map<string, CommandRun[]>();
  for (const { kind, dimension, session, sequence } of feedback) {
    const isToolRun = kind === 'tool_success' || kind === 'tool_failure' || kind === 'pattern_observed';
    if (!isToolRun || !dimension.startsWith(COMMAND_PREFIX)) continue;
    const line = escapeInvisibleLine(dimension.slice(COMMAND_PREFIX.length)).trim();
    const commands = sessions.get(session) ?? [];
    commands.push({ line, failed: kind === 'tool_failure' || line === '' || line.includes(REDACTED_PREFIX), sequence });
    sessions.set(session, commands);
  }
  return sessions;
}

/** A missing tool, with the feedback that reports it. */
interface MissedTool {
  readonly words: string;
  readonly events: number[];
  readonly notes: string[];
  readonly sessions: Set<string>;
}

/** Tools that were missing in several sessions, described in the same words. */
function findMissingTools(feedback: readonly Feedback[]): readonly Candidate[] {
  const missedTools = new Map<string, MissedTool>();
  for (const { dimension, session, sequence, note } of feedback) {
    if (!dimension.startsWith(WANTED_PREFIX)) continue;
    const words = dimension.slice(WANTED_PREFIX.length).trim();
    const subject = words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (subject === '') continue;
    const missedTool = missedTools.get(subject) ?? { words, events: [], notes: [], sessions: new Set() };
    missedTool.sessions.add(session);
    missedTool.events.push(sequence);
    if (note !== null) missedTool.notes.push(note);
    missedTools.set(subject, missedTool);
  }
  return [...missedTools]
    .filter(([, { sessions }]) => sessions.size >= MIN_SESSIONS)
    .toSorted(([, a], [, b]) => b.sessions.size - a.sessions.size)
    .map(([subject, { words, events, notes, sessions }]) => ({
      kind: 'tool' as const,
      id: createSubjectId('tool', subject),
      name: deriveName(words),
      description: `Agents report that they missed it in ${formatCount(sessions.size, 'session')}.`,
      wish: [
        `Add a script or a command to this repository for this: ${quoteText(words, 200)}.`,
        ...quoteNotes(notes),
      ].join(' '),
      events: selectNewestEvents(events),
    }));
}

/** A skill for each tool that often fails and that no commit has dealt with. It warns the users of the tool. */
function findFailingTools(
  { findings }: Pick<FeedbackAnalysis, 'findings'>,
  feedback: readonly Feedback[],
): readonly Candidate[] {
  return findings
    .filter(({ kind, dealtWith }) => kind === 'tool_failure' && dealtWith === null)
    .map(({ dimension, text, events }) => {
      const failureSequences = new Set(events);
      const failedCalls = feedback.filter(({ sequence }) => failureSequences.has(sequence));
      const notes = failedCalls.flatMap(({ note }) => note ?? []);
      const isReported = failedCalls.some(({ program }) => program === undefined && !dimension.startsWith(GATE_PREFIX));
      return {
        kind: 'skill' as const,
        id: createSubjectId('skill', dimension),
        name: deriveName(`${dimension} fails`),
        description: isReported ? `Agents report this: ${text}` : text,
        file: 'TOOLS' as const,
        text: [`${quoteText(dimension, 80)} often fails here, so check its result.`, ...quoteNotes(notes)].join(' '),
        replaces: [],
        events: selectNewestEvents(events),
      };
    });
}

/** A list with a sentence that quotes the newest different notes; empty if there are no notes. */
function quoteNotes(notes: readonly string[]): readonly string[] {
  const differentNotes = [...new Set(notes.toReversed())].slice(0, MAX_QUOTED);
  return differentNotes.length === 0
    ? []
    : [`What was said: ${differentNotes.map((note) => quoteText(note, 120)).join(', ')}.`];
}

/** The newest `MAX_EVENTS` of these sequences, each once, ascending. */
export function selectNewestEvents(events: readonly number[]): readonly number[] {
  return [...new Set(events)].toSorted((a, b) => a - b).slice(-MAX_EVENTS);
}
