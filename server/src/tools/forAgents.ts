// Creates the tools that a coding agent can call in its enclosure: tools that only read, one that reads files of the
// agent's copy of the repository, and one that receives the change that the agent proposes. No other tool of the table
// is offered. Calls are recorded as feedback, without their arguments.

import * as z from 'zod';
import { OWN_FAULT } from '../core/learn/performance/figures.ts';
import { redact } from '../core/ledger/redact.ts';
import type { AgentAnswer, AgentTool, AgentTools, AgentWork } from '../core/ports/agentTools.ts';
import { normalisePath } from '../core/proposers/reply/pathLine.ts';
import type { ReplyEdit } from '../core/proposers/reply/reply.ts';
import { resolveEdits } from '../core/proposers/reply/resolve.ts';
import type { Session } from '../core/session.ts';
import { formatCount } from '../util/counted.ts';
import { SelfwareError, throwIfCancelled } from '../util/typedError.ts';
import { toCodeBlock, truncate } from './bounds.ts';
import { createToolErrorAnswer, parseInput, recordOutcome } from './callTool.ts';
import { contextTool } from './context.ts';
import { graphTool } from './graph.ts';
import { metricsTool } from './metrics.ts';
import { opportunitiesTool } from './opportunities.ts';
import { editSchema } from './proposeTools.ts';
import { searchTool } from './search.ts';
import type { Tool, ToolCall } from './tool.ts';
import { toInputSchema } from './toolTable.ts';
import { createVerifications } from './verifications.ts';

/** Maximum number of tokens of an answer. */
const MAX_TEXT_TOKENS = 20_000;
/** Maximum number of lines of a file in one answer. */
const MAX_LINES = 1_000;

/** The tools of the table that only read and never ask a person. */
const READING_TOOLS = [searchTool, contextTool, graphTool, opportunitiesTool, metricsTool];

const readInput = z.object({
  path: z.string().min(1).max(1000).describe('Path relative to the root, with /.'),
  line: z.int().min(1).default(1).describe('First line, counted from 1.'),
  limit: z.int().min(1).max(MAX_LINES).default(MAX_LINES).describe('At most this many lines.'),
});

const proposeInput = z.object({
  title: z.string().min(1).max(200).describe('What the change does, in one line, as a commit would say it.'),
  edits: z.array(editSchema).min(1).max(100).describe('All edits of the change.'),
});

/** A tool that works on the copy of the repository that the agent has. */
interface CopyTool<Input> extends Omit<AgentTool, 'inputSchema'> {
  readonly input: z.ZodType<Input>;
  run(input: Input, work: AgentWork): Promise<AgentAnswer>;
}

/** Reads lines of a file. */
const readFileTool: CopyTool<z.output<typeof readInput>> = {
  name: 'read_file',
  title: 'Read a File',
  description: 'Lines of a text file in your copy of the repository, as it is now.',
  readOnly: true,
  input: readInput,
  async run({ path, line, limit }, work) {
    const text = await work.read(path);
    if (text === null)
      return createFailureAnswer(`${path.slice(0, 200)} is not a text file in your copy, or is too large.`);
    const lines = text.split(/\r?\n/);
    const shownLines = lines.slice(line - 1, line - 1 + limit);
    return {
      text: `Lines ${line} to ${line - 1 + shownLines.length} of ${lines.length}:\n${toCodeBlock(shownLines.join('\n'))}`,
      failed: false,
    };
  },
};

/** Records the agent's change as its answer. */
const proposeTool: CopyTool<z.output<typeof proposeInput>> = {
  name: 'propose',
  title: 'Propose the Change',
  description:
    'Makes these edits your answer: they alone, whatever else differs in your copy. They speak of the files as you ' +
    'got them, not as you have changed them since. Nothing is applied: the change is checked after you have ended. ' +
    'Call it again to replace the change. Without a call, what differs in your copy is your answer.',
  readOnly: false,
  input: proposeInput,
  async run({ title, edits }, work) {
    const replyEdits: ReplyEdit[] = [];
    const texts = new Map<string, string | null>();
    for (const { file, search, replace, content } of edits) {
      const path = normalisePath(file);
      texts.set(path, await work.readOriginal(path));
      if (content !== undefined) replyEdits.push({ kind: 'file', file, content });
      else if (search !== undefined && replace !== undefined)
        replyEdits.push({ kind: 'replace', file, search, replace, byLines: false });
      else return createFailureAnswer(`An edit of ${file.slice(0, 200)} has neither search and replace nor content.`);
    }
    const resolution = resolveEdits(
      replyEdits,
      (path) => texts.get(path) ?? null,
      () => 'current',
    );
    if ('refused' in resolution) return createFailureAnswer(resolution.refused);
    const refusal = await work.propose(title, resolution.edits);
    if (refusal !== null) return createFailureAnswer(refusal);
    const files = formatCount(resolution.edits.length, 'file');
    return { text: `The change of ${files} is your answer. End now, or propose again to replace it.`, failed: false };
  },
};

/** The tools that work on the copy. */
const COPY_TOOLS = [readFileTool, proposeTool] as readonly CopyTool<unknown>[];

/**
 * Creates the tools. `openSession` is called whenever a call needs the session; `onFault` receives the faults of
 * Selfware.
 */
export function createAgentTools(openSession: () => Session, onFault: (error: unknown) => void): AgentTools {
  const verifications = createVerifications();
  return {
    list: [
      ...READING_TOOLS.map((tool) => ({ ...pickNames(tool), inputSchema: toInputSchema(tool), readOnly: true })),
      ...COPY_TOOLS.map((tool) => ({ ...pickNames(tool), inputSchema: toInputSchema(tool), readOnly: tool.readOnly })),
    ],
    async call(name, input, work, signal) {
      const { text, failed } = await callOrExplain(name, input, work, signal);
      throwIfCancelled(signal);
      return { text: truncate(redact(text) as string, MAX_TEXT_TOKENS), failed };
    },
  };

  /** Calls a tool. Any other name than those of the offered tools, and any error, becomes an answer. */
  async function callOrExplain(name: string, input: unknown, work: AgentWork, signal: AbortSignal) {
    const copyTool = COPY_TOOLS.find((tool) => tool.name === name);
    const tool = READING_TOOLS.find((candidate) => candidate.name === name);
    if (!copyTool && !tool) return createFailureAnswer(`You may not call ${name.slice(0, 100)}.`);
    const startedAt = performance.now();
    try {
      const answer = copyTool
        ? await copyTool.run(parseInput(copyTool, input), work)
        : { text: await renderResult(tool!, input, signal), failed: false };
      await record(name, { startedAt, failed: answer.failed, note: null });
      return answer;
    } catch (error) {
      const isFault = !(error instanceof SelfwareError);
      // The message of an expected error is not recorded, because it may contain the arguments of the call.
      if (!signal.aborted) await record(name, { startedAt, failed: true, note: isFault ? OWN_FAULT : null });
      return createToolErrorAnswer(error, onFault);
    }
  }

  function record(
    name: string,
    { startedAt, failed, note }: { readonly startedAt: number; readonly failed: boolean; readonly note: string | null },
  ): Promise<void> {
    const millis = Math.round(performance.now() - startedAt);
    return recordOutcome(openSession(), { name, failed, note, millis }, onFault);
  }

  /** The text of the answer of a tool of the table, or of its question. */
  async function renderResult(tool: Tool, input: unknown, signal: AbortSignal): Promise<string> {
    const call: ToolCall = {
      session: restrictSession(openSession()),
      operation: { signal },
      author: 'agent',
      consent: 'nobody',
      verifications,
      judgeChange: async () => {
        throw new SelfwareError('forbidden', 'Nothing is judged while a coding agent works.');
      },
      // The index was updated before the agent started, and its copy was made of the same files.
      refresh: async () => null,
      requireWritable: async () => {
        throw new SelfwareError('forbidden', 'A coding agent writes nothing.');
      },
    };
    const answer = await tool.run(parseInput(tool, input), call);
    return 'ask' in answer ? answer.ask.message : answer.text;
  }
}

/**
 * The session with two restrictions: its contexts are not recorded, and show no file that is missing in the agent's
 * copy.
 */
function restrictSession(session: Session): Session {
  const { tasks } = session;
  return {
    ...session,
    tasks: {
      ...tasks,
      context: (request, signal) => tasks.context({ ...request, unrecorded: true, onlyIndexed: true }, signal),
      render: (pack, signal) => tasks.render(pack, signal, { onlyIndexed: true }),
    },
  };
}

function pickNames({ name, title, description }: Pick<AgentTool, 'name' | 'title' | 'description'>) {
  return { name, title, description };
}

function createFailureAnswer(text: string): AgentAnswer {
  return { text, failed: true };
}
